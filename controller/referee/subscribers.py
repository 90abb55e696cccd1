"""The subscribers of the referee hear every recorded action, and may add to what players are told.

They decide what a game means for the watcher of the dice, the wear file, the records and the metrics, and what players
learn of the box. The referee knows none of them: its maker chooses them.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from controller.box.table import Table
from controller.errors import JournalError
from controller.game.core.engine import AnyGame
from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameHalted, GameResumed, GameStarted
from controller.game.core.message import MessageKey, Messages, compose
from controller.game.core.phases import Ended, Parked
from controller.game.core.players import BY_THE_BOX, Origin
from controller.game.shutbox.events import DiceThrown, FirstRolled, ThrowCorrected
from controller.game.shutbox.messages import describe_layout, describe_stalemate
from controller.game.shutbox.state import Game
from controller.game.table.snapshot import winners_of
from controller.journal.records import record_news
from controller.journal.store import Journal
from firmware.selftest.wear import WearFile, WearKind, wear_notes
from hardware.box import Box
from hardware.tiles import TileId
from vision.capture.frame import Pixels
from vision.reading import Reading
from vision.watching.throw_watcher import Watcher

_log = logging.getLogger(__name__)

_LAG_EVERY_S = 1.0
_WEAR: Mapping[WearKind, MessageKey] = {"slower": "wear.slower", "retried": "wear.retried", "unseen": "wear.unseen"}


@dataclass(frozen=True, slots=True)
class Action:
    """The events of one command, which led from one game to the other.

    before: None if a new game begins.
    origin: who caused it.
    """

    game_id: int
    before: AnyGame | None
    events: tuple[GameEvent, ...]
    after: AnyGame
    origin: Origin = BY_THE_BOX


@dataclass(frozen=True, slots=True)
class Words:
    """What a subscriber adds: `news` of what has happened, and a `notice` that people need to go on."""

    news: Messages = ()
    notice: Messages = ()


# Called in the loop of the referee once an action is durable and true; it must return at once.
Subscriber = Callable[[Action], Words]


def make_subscribers(table: Table, journal: Journal) -> tuple[Subscriber, ...]:
    """Return the subscribers for games on `table` with this journal, in the order in which they are called."""
    book = table.wear
    wear = () if book is None else (partial(note_wear, book, table.box.tile_ids), partial(write_wear, book))
    return (partial(tell_watcher, table.watcher), partial(tell_layout, table.box), *wear, partial(tell_record, journal))


def tell_watcher(watcher: Watcher, action: Action) -> Words:
    """Tell the watcher which dice have counted: the throw that it read, or else everything on the baize; and what was
    misread.
    """
    stood_still = action.before is not None and isinstance(action.before.phase, Parked | Ended)
    for event in action.events:
        match event:
            case DiceThrown(source="camera") | FirstRolled(source="camera"):
                watcher.accept()
            case ThrowCorrected(_, dice):
                watcher.correct(dice)
            case DiceThrown() | FirstRolled() | GameStarted():
                watcher.account_for()
            case GameResumed() if stood_still:
                watcher.account_for()
    return Words()


def tell_layout(box: Box, action: Action) -> Words:
    """Say at the start of a game what is special about it on this box, and if nobody can ever win it."""
    if not _begins_game(action) or not isinstance(action.after, Game):
        return Words()
    return Words(notice=(*describe_layout(action.after.rules, box.rows), *describe_stalemate(action.after)))


def note_wear(wear: WearFile, tiles: Iterable[TileId], action: Action) -> Words:
    """Count a game in the wear file, and say which tiles are about to wear out."""
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
    """Write the wear file when a game begins, in another thread: a slow card would hold up the loop."""

    def write() -> None:
        try:
            wear.write()
        except OSError as error:
            _log.warning("wear file not written error=%s", error)

    if _begins_game(action):
        asyncio.get_running_loop().run_in_executor(None, write)
    return Words()


def tell_record(journal: Journal, action: Action) -> Words:
    """Say at the end of a game played alone how its score compares with earlier ones."""
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


class Meters:
    """Counts of what has happened at a table since the program started, for its metrics.

    games: by `started`, `ended` and `given_up`.
    throws: by their source.
    corrections: throws that were read wrong.
    refused: readings of the camera, by the reason of the refusal.
    faults: by code.
    lag_s, most_lag_s: how late the event loop was at the last look, and at most.

    Lifetime: as the process, while tables are closed and opened again. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self.games: Counter[str] = Counter(started=0, ended=0, given_up=0)
        self.throws: Counter[str] = Counter(camera=0, typed=0)
        self.corrections = 0
        self.refused: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.lag_s = 0.0
        self.most_lag_s = 0.0

    def count(self, action: Action) -> Words:
        """Count an action, as a subscriber of the referee that adds nothing."""
        for event in action.events:
            match event:
                case GameStarted():
                    self.games["started"] += 1
                case GameEnded():
                    self.games["ended"] += 1
                case GameAbandoned():
                    self.games["given_up"] += 1
                case DiceThrown(source=source) | FirstRolled(source=source):
                    self.throws[source] += 1
                case ThrowCorrected():
                    self.corrections += 1
                case GameHalted(fault):
                    self.faults[fault.code] += 1
        return Words()

    def count_reading(self, _frame: Pixels, reading: Reading, _values: tuple[int, ...] | None) -> None:
        """Count a reading of the watcher, if it was refused."""
        if not reading.is_read:
            self.refused[str(reading.reason)] += 1

    async def measure_lag(self) -> None:
        """Measure every second how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + _LAG_EVERY_S
            await asyncio.sleep(_LAG_EVERY_S)
            self.lag_s = max(0.0, loop.time() - due_s)
            self.most_lag_s = max(self.most_lag_s, self.lag_s)
