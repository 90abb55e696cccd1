"""The journal of a game amid breakage, which compares what becomes true with metal and rules."""

from collections.abc import Sequence
from pathlib import Path

from controller.box.table import targets
from controller.game.core.engine import AnyGame
from controller.game.shutbox.events import TurnEnded
from controller.game.shutbox.state import Game
from controller.game.table.engines import evolve
from controller.journal.keys import CommandKey
from controller.journal.store import Entry, Journal
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.true_box import hall_is_closed

_LYING = ("stuck", "stuck-shut", "stuck-open", "contradiction")  # sensors of one tile that do not say what is


class AuditingJournal(Journal):
    """A journal that compares the metal with the board whenever the tiles are said to be in place, and every score with
    the rules: only here does every event pass, and at the moment at which it becomes true.
    """

    def __init__(self, path: Path, world: World, problems: list[str]) -> None:
        super().__init__(path)
        self._world = world
        self._problems = problems
        self._game: AnyGame | None = None

    def append(self, game_id: int, box: str, entries: Sequence[Entry], key: CommandKey | None = None) -> None:
        """As every journal does, and then compare."""
        super().append(game_id, box, entries, key)
        for entry in entries:
            before, self._game = self._game, evolve(self._game, entry.event)
            if before is not None and entry.event.kind == "tiles_confirmed":
                self._check_tiles(before)
            if isinstance(before, Game) and isinstance(entry.event, TurnEnded) and entry.event.player == before.turn:
                self._check_score(before, entry.event.score)

    def _check_tiles(self, game: AnyGame) -> None:
        for tile, target in targets(game.board, self._world.box).items():
            if self._world.position(tile) is not target and not self._is_excused(tile, target):
                seen = self._world.position(tile)
                self._problems.append(f"{tile} is said to be {target}, and is {seen}; {self._world.faults}")

    def _is_excused(self, tile: TileId, target: Position) -> bool:
        """True if the tile's own sensors lie: then nobody but a person can know where it is.

        A keen Hall sensor keeps closed until its tile is 50 degrees up, where the gears of a rigid rod may hold it.
        """
        is_rigid, is_keen = self._world.box.rest_us(tile) is None, self._world.tolerances.halls == "keen"
        if is_rigid and is_keen and target is Position.SHUT and hall_is_closed(self._world, tile):
            return True
        for fault in self._world.faults:
            name, _, part = fault.partition(":")
            if (name in _LYING and part == str(tile)) or name == "swapped-sensor":
                return True
        return False

    def _check_score(self, game: Game, score: int) -> None:
        left = [seat for seat in game.match.order if game.turn_scores[seat] is None]
        # Of several who throw in turn on one board, the last who is in has won, whatever stands.
        won = game.rules.terms.alternate and left == [game.turn] and len(game.match.order) > 1
        expected = 0 if won else game.rules.score(game.board)
        if score != expected:
            self._problems.append(f"a turn is scored {score}, the board {game.board} makes {expected}")
