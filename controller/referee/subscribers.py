"""The subscribers of the referee: they hear of every action it has recorded, and add a word to what is said of it.

Here it is decided what the watcher of the dice, the book of worn tiles and the records learn of a game, and what
players are told of the box. The referee knows none of them: whoever makes it says who is to hear.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from controller.box import Table
from controller.errors import JournalError
from controller.game import (
    BY_THE_BOX,
    AnyGame,
    DiceThrown,
    FirstRolled,
    Game,
    GameEvent,
    GameResumed,
    GameStarted,
    MessageKey,
    Messages,
    Origin,
    Parked,
    compose,
    describe_layout,
    describe_stalemate,
    winners_of,
)
from controller.journal import Journal, record_news
from firmware.selftest import WearFile, WearKind, wear_notes
from hardware.box import Box
from hardware.tiles import TileId
from vision.watching import Watcher

_log = logging.getLogger(__name__)

_WEAR: Mapping[WearKind, MessageKey] = {"slower": "wear.slower", "retried": "wear.retried", "unseen": "wear.unseen"}


@dataclass(frozen=True, slots=True)
class Action:
    """The work of one command: its events led from one game to the other. `before` is None where a new game begins.

    origin: whose doing it was.
    """

    game_id: int
    before: AnyGame | None
    events: tuple[GameEvent, ...]
    after: AnyGame
    origin: Origin = BY_THE_BOX


@dataclass(frozen=True, slots=True)
class Words:
    """Words to be said: `news` of what has happened, `notice` of what people must know to go on. Empty: nothing."""

    news: Messages = ()
    notice: Messages = ()


# Called once an action is durable and true, in the loop of the referee: it must neither wait nor take its time.
Subscriber = Callable[[Action], Words]


def make_subscribers(table: Table, journal: Journal) -> tuple[Subscriber, ...]:
    """The subscribers of games on `table` that are recorded in `journal`, in the order in which they are heard."""
    book = table.wear
    wear = () if book is None else (partial(note_wear, book, table.box.tile_ids), partial(write_wear, book))
    return (partial(tell_watcher, table.watcher), partial(tell_layout, table.box), *wear, partial(tell_record, journal))


def tell_watcher(watcher: Watcher, action: Action) -> Words:
    """Tell the camera's side which dice have been counted: a throw that was read, or, unread, all that lies there."""
    was_parked = action.before is not None and isinstance(action.before.phase, Parked)
    for event in action.events:
        match event:
            case DiceThrown(source="camera") | FirstRolled(source="camera"):
                watcher.accept()
            case DiceThrown() | FirstRolled() | GameStarted():
                watcher.account_for()
            case GameResumed() if was_parked:
                watcher.account_for()
    return Words()


def tell_layout(box: Box, action: Action) -> Words:
    """Say at the start of a game what the players must know of it on this box, and if nobody can ever win it."""
    if not _begins_game(action) or not isinstance(action.after, Game):
        return Words()
    return Words(notice=(*describe_layout(action.after.rules, box.rows), *describe_stalemate(action.after)))


def note_wear(wear: WearFile, tiles: Iterable[TileId], action: Action) -> Words:
    """Note a game in the book of the tiles, which no game depends on, and say which of them is about to wear out."""
    if not _begins_game(action):
        return Words()
    wear.note_game()
    worn = [
        compose(_WEAR[note.kind], tile=str(tile), **note.figures) for tile, note in wear_notes(wear.book, tiles).items()
    ]
    if len(worn) < 2:
        return Words(notice=tuple(worn))
    return Words(notice=(worn[0], compose("wear.more", count=len(worn) - 1)))


def write_wear(wear: WearFile, action: Action) -> Words:
    """Have the book of the tiles written when a game begins, in another thread: a slow card would hold up the loop."""
    if _begins_game(action):
        asyncio.get_running_loop().run_in_executor(None, _write, wear)
    return Words()


def _write(wear: WearFile) -> None:
    try:
        wear.write()
    except OSError as error:
        _log.warning("the book of the tiles is not written: %s", error)


def tell_record(journal: Journal, action: Action) -> Words:
    """Say at the end of a game that one played alone how it stands beside those before."""
    game = action.after
    if (
        not isinstance(game, Game)
        or len(game.players) > 1
        or game.rules.terms.match != "single"
        or not winners_of(game)
    ):
        return Words()
    try:
        return Words(news=record_news(journal, action.game_id))
    except JournalError as error:
        return Words(news=(compose("record.unreadable", code=error.code, cause=str(error)),))


def _begins_game(action: Action) -> bool:
    return any(isinstance(event, GameStarted) for event in action.events)
