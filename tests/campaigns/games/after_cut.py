"""The truth after a power cut, by wood and journal alone: what must be told, and what an answer comes to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.box.table import targets
from controller.game.core.events import GameEvent, GameHalted
from controller.game.core.phases import Halted, Moving, Parked, TileMismatch
from controller.game.shutbox.evolve import replay_box_game
from controller.game.shutbox.state import Choosing, Game
from hardware.box import Box
from hardware.sim.world import World
from hardware.tiles import Position, TileId


@dataclass(frozen=True, slots=True)
class AfterCut:
    """A game as its journal has it, and where the tiles of its box truly are.

    own: the tiles that the box itself was to move, or that people have been asked about.
    """

    game: Game
    wanted: Mapping[TileId, Position]
    wood: Mapping[TileId, Position]
    own: frozenset[TileId]

    @property
    def differing(self) -> dict[str, Position]:
        """Every tile that is elsewhere than the game has it, with where it is."""
        return {str(tile): place for tile, place in self.wood.items() if place is not self.wanted[tile]}

    @property
    def must_ask(self) -> bool:
        """True if the box has no part in one of the differences."""
        return bool(self.differing.keys() - {str(tile) for tile in self.own})

    @property
    def choice(self) -> set[str]:
        """The tiles that differ, if they all lie and the rules take just them for a person's throw; else none."""
        phase = self.game.phase
        if isinstance(phase, Moving | Halted | Parked | TileMismatch):
            phase = phase.then
        if self.game.player.house or not isinstance(phase, Choosing) or set(self.differing.values()) != {Position.SHUT}:
            return set()
        moves = self.game.rules.legal_moves(self.game.board, phase.throw)
        return next(({*self.differing} for move in moves if {tile.name for tile in move} == {*self.differing}), set())

    @property
    def shut(self) -> tuple[int, ...]:
        """The board by the wood: of each column the tiles that lie, up to the first that stands.

        What is half way is where the game has it; a column that the game is played without lies.
        """
        layout = self.game.board.layout
        lies = {
            str(tile): (place if place in (Position.OPEN, Position.SHUT) else self.wanted[tile]) is Position.SHUT
            for tile, place in self.wood.items()
        }
        return tuple(
            next((at for at, tile in enumerate(column) if not lies[tile.name]), len(column))
            if number not in layout.absent
            else len(column)
            for number, column in enumerate(layout.by_column, 1)
        )


def after_cut(events: Sequence[GameEvent], world: World, box: Box) -> AfterCut:
    """The truth now, of a game with these events."""
    game = replay_box_game(events)
    if game is None:
        raise ValueError("a game that was cut has begun")
    wanted = targets(game.board, box)
    wood = {tile: world.position(tile) for tile in box.tile_ids}
    return AfterCut(game, wanted, wood, _own_tiles(events, wanted, box))


def _own_tiles(events: Sequence[GameEvent], wanted: Mapping[TileId, Position], box: Box) -> frozenset[TileId]:
    """Those that are to be elsewhere than at the last confirmation, or that a halt since then was about.

    All, where there was none: every tile is brought to its place at the start.
    """
    confirmed = [at for at, event in enumerate(events, 1) if event.kind == "tiles_confirmed"]
    game = replay_box_game(events[: confirmed[-1]]) if confirmed else None
    if game is None:
        return frozenset(box.tile_ids)
    halts = {event.fault.part for event in events[confirmed[-1] :] if isinstance(event, GameHalted)}
    before = targets(game.board, box)
    return frozenset(tile for tile in wanted if wanted[tile] is not before[tile] or str(tile) in halts)
