"""Where a game was left off: which tiles may be elsewhere than the game has them, with nobody having touched them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from controller.game.core.engine import AnyGame, moved_tiles
from controller.game.core.events import GameEvent, GameHalted, GameResumed, TilesConfirmed, TilesDiffer
from controller.game.core.phases import TileMismatch
from controller.game.shutbox.events import BoardCorrected
from controller.game.table.engines import evolve
from hardware.tiles import Position


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """The tiles that need no question after a power cut, by their names.

    moving: those that the box was bringing to another place when the power went. told: those that people were asked
    about, and have answered for.
    """

    moving: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()

    def after(self, before: AnyGame | None, event: GameEvent, after: AnyGame) -> Self:
        """The tiles once `event` has led from one game to the other."""
        if before is None:
            return self
        found = before.phase.found if isinstance(before.phase, TileMismatch) else ()
        match event:
            case TilesConfirmed():
                # Signs go on to move without an event of their own.
                return type(self)(moving=frozenset(after.signs))
            case GameHalted(fault):
                return replace(self, told=self.told | {fault.part})
            case TilesDiffer():
                # Whatever differs has just been listed, and the answer is to come.
                return replace(self, told=frozenset())
            case GameResumed():
                return replace(self, told=self.told | {tile.name for tile in found})
            case BoardCorrected():
                # A tile that the game has where it was found need not move; one that it does not play with stays told.
                known, stands = after.board.layout.by_name, after.board.stands
                wanted = {name: Position.OPEN if stands(tile) else Position.SHUT for name, tile in known.items()}
                return type(self)(told=frozenset(each.name for each in found if each.seen is not wanted.get(each.name)))
        return replace(self, moving=self.moving | moved_tiles(before, after) | frozenset(after.signs))


def resume_point_of(events: Iterable[GameEvent], tiles: Iterable[str]) -> ResumePoint:
    """Where these events, from the first of a game on, have left off; when it begins, all `tiles` are being moved."""
    game, resume_point = None, ResumePoint(moving=frozenset(tiles))
    for event in events:
        before, game = game, evolve(game, event)
        resume_point = resume_point.after(before, event, game)
    return resume_point
