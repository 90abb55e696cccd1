"""A table without actions: a game that is over, or has not begun."""

from collections.abc import Sequence
from dataclasses import replace

from controller.game.core.engine import AnyGame
from controller.game.core.sight import DieView, SnapshotContext
from controller.game.table.caller import Caller
from controller.game.table.snapshot import snapshot_of
from controller.settings import Language
from controller.web.pages.scene.marks import TilePictures
from controller.web.pages.table.audience import Audience
from controller.web.pages.table.view import TableView, table_for
from controller.words.words import words_in

_ONLOOKER = Caller(door="page", role="spectator", shares=False)


def still_table(
    game: AnyGame, language: Language, dice: Sequence[int] = (), pictures: TilePictures | None = None
) -> TableView:
    """Return the table of a game with these dice on its field and without any action.

    pictures: for the tiles; None to write their marks.
    """
    snapshot = snapshot_of(game, SnapshotContext(number=0, event=0, box=""))
    thrown = tuple(map(DieView, dice))
    snapshot = replace(snapshot, throw=tuple(dice), dice=thrown, actions=(), moves=(), moves_count=0)
    onlooker = Audience("play", language, _ONLOOKER)
    return table_for(snapshot, onlooker, words_in(language), pictures or TilePictures(None))
