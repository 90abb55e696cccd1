"""A table that is only looked at: a game that is over, or has not begun."""

from collections.abc import Sequence
from dataclasses import replace

from controller.game import AnyGame, Caller, DieView, SnapshotContext, snapshot_of
from controller.web.pages.scene import TilePictures
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.view import TableView, table_for
from controller.words import Language, words_in

_ONLOOKER = Caller(door="page", role="spectator", shares=False)


def still_table(
    game: AnyGame, language: Language, dice: Sequence[int] = (), pictures: TilePictures | None = None
) -> TableView:
    """The table as a game has it, with these dice in its field, and nothing to be done at it.

    pictures: those that are drawn on tiles; None: marks are written.
    """
    snapshot = snapshot_of(game, SnapshotContext(number=0, event=0, box=""))
    thrown = tuple(map(DieView, dice))
    snapshot = replace(snapshot, throw=tuple(dice), dice=thrown, actions=(), moves=(), moves_count=0)
    onlooker = Audience("play", language, _ONLOOKER)
    return table_for(snapshot, onlooker, words_in(language), pictures or TilePictures(None))
