"""The records of one-player games as tables of the journal, updated with each game instead of counted on demand.

A key that depends on a game's first event alone decides which games belong to one record: games of the same player with
equal turns. `records.py` presents records to people.

The tables are derived data: a journal without them is complete. A version that does not know them ignores them, and
games that it wrote are counted when the file is opened by a version that does.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self, TypeVar

from controller.errors import JournalDamaged, JournalError
from controller.game.core.events import GameStarted
from controller.game.shutbox.events import TurnEnded
from controller.journal.database import connect, unwritable_error
from controller.journal.migrations import read_event
from controller.rules.options import Value
from controller.rules.shutbox.games import GAMES, Terms

# Terms of the table do not change the turn of a lone player, except for how often they throw in a race.
_OF_THE_TABLE = {each.name for each in fields(Terms)} - {"race", "match"}


def record_key(started: GameStarted) -> str:
    """Return a digest that is equal for games whose scores belong to one record."""
    player, marks = started.players[0].name, asdict(started.marks)
    return _digest({"player": player, "game": started.game, "options": _turn_options(started), "marks": marks})


def changed_options(started: GameStarted) -> dict[str, Value]:
    """Return the options that change a lone player's turn and are not at their defaults."""
    defaults = _defaults(started.game)
    return {name: value for name, value in _turn_options(started).items() if value != defaults.get(name)}


def basis_digest() -> str:
    """Return a digest of everything that `record_key` depends on besides the game: if it changes, all keys change."""
    return _digest({"of the table": sorted(_OF_THE_TABLE), "defaults": {game: _defaults(game) for game in GAMES}})


def _turn_options(started: GameStarted) -> dict[str, Value]:
    return {name: value for name, value in started.options.items() if name not in _OF_THE_TABLE}


def _defaults(game: str) -> dict[str, Value]:
    # A journal may hold games that only a later version has.
    return {choice.name: choice.default for choice in GAMES[game].choices} if game in GAMES else {}


def _digest(what: dict[str, object]) -> str:
    text = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


Kind = TypeVar("Kind", GameStarted, TurnEnded)

_SCHEMA = (
    # Scores as text: with score=digits a score may have forty digits, and SQLite's integers have at most nineteen.
    """CREATE TABLE IF NOT EXISTS record_sums (
        key TEXT PRIMARY KEY,
        games INTEGER NOT NULL,
        total TEXT NOT NULL,
        best TEXT NOT NULL,
        best_before TEXT,
        last TEXT NOT NULL,
        last_game INTEGER NOT NULL,
        last_number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    # The number of events counted of each game.
    "CREATE TABLE IF NOT EXISTS record_counted (game INTEGER PRIMARY KEY, events INTEGER NOT NULL) STRICT",
    # What the keys were derived from, and the form of these tables.
    "CREATE TABLE IF NOT EXISTS record_basis (digest TEXT PRIMARY KEY) STRICT",
)
_FORM = 2  # 1: scores as numbers in a table `record`, which older versions still use
_BEHIND = (
    "SELECT game.id FROM game LEFT JOIN record_counted AS counted ON counted.game = game.id"
    " WHERE coalesce(counted.events, 0) < (SELECT coalesce(max(number), 0) FROM event WHERE event.game = game.id)"
    " ORDER BY game.id"
)
_TURNS = (
    "SELECT a.game, t.number, a.body, t.body FROM event a JOIN event t ON t.game = a.game WHERE a.number = 1"
    " AND json_array_length(a.body, '$.players') = 1 AND t.body LIKE '%\"kind\":\"turn_ended\"%'"
    " AND coalesce(json_extract(a.body, '$.options.match'), 'single') = 'single'"
)
# A power cut loses the count of this many games at most; one commit for each game would wait for the disk each time.
_GAMES_A_COMMIT = 500
_PATIENCE_S = 0.1  # wait for another process that is writing; there should be none, and the loop waits meanwhile


@dataclass(frozen=True, slots=True)
class LoneTurn:
    """A finished single round of one player alone. number: of the event that ended it, in its game."""

    game_id: int
    number: int
    started: GameStarted
    score: int


@dataclass(frozen=True, slots=True)
class RunningRecord:
    """The summary of a record that is shown after a game. Of constant size: it holds no individual scores.

    best_before: the lowest score before the last one; None while there is only one score.
    last_turn: the game and the event of the last score.
    """

    games: int
    total: int
    best: int
    best_before: int | None
    last: int
    last_turn: tuple[int, int]

    @property
    def mean(self) -> float:
        return self.total / self.games


def add_turn(record: RunningRecord | None, turn: LoneTurn) -> RunningRecord:
    """Return the record with one more turn. A turn of an older game that ended late does not become the last one."""
    score, at = turn.score, (turn.game_id, turn.number)
    if record is None:
        return RunningRecord(1, score, score, None, score, at)
    games, total, best = record.games + 1, record.total + score, min(record.best, score)
    if at > record.last_turn:
        return RunningRecord(games, total, best, record.best, score, at)
    before = score if record.best_before is None else min(record.best_before, score)
    return RunningRecord(games, total, best, before, record.last, record.last_turn)


class RecordTable:
    """The records in the file of one journal.

    Counting at the end of a game takes constant time however many games there are, because it runs in the loop that
    also keeps the pulses going, and the guard treats a silent loop as a fault. A failure to count does not stop play:
    `of` raises its reason, and nothing more is counted until the file is opened again.

    A writable table has a connection of its own, so that a failure here cannot roll an event back. That connection
    does not wait for the disk (WAL with `synchronous=NORMAL`): counts lost in a power cut are made again on opening.

    Lifetime and concurrency: as its journal.
    """

    def __init__(self, db: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
        """Keep the records of the journal at `path`. db: the connection to read by, and to close if it is writable."""
        self._db = db
        self._path = path
        self._read_only = read_only
        self._problem: JournalError | None = None

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the records of a writable journal and count what is missing. Raises `sqlite3.Error`."""
        # The writer's thread counts; the event loop reads once that has returned.
        db = connect(path, "rw", patience_s=_PATIENCE_S, of_one_thread=False)
        records = cls(db, path, read_only=False)
        try:
            db.execute("PRAGMA synchronous = NORMAL")
            with db:
                for table in _SCHEMA:
                    db.execute(table)
                basis = (f"{_FORM} {basis_digest()}",)
                if db.execute("SELECT digest FROM record_basis").fetchall() != [basis]:
                    # Other games may be comparable now, or another version has counted: count everything anew.
                    for clear in ("DELETE FROM record_sums", "DELETE FROM record_counted", "DELETE FROM record_basis"):
                        db.execute(clear)
                    db.execute("INSERT INTO record_basis VALUES (?)", basis)
            # All games the first time, hardly any later.
            behind = [row[0] for row in db.execute(_BEHIND)]
            for first in range(0, len(behind), _GAMES_A_COMMIT):
                with db:
                    for game_id in behind[first : first + _GAMES_A_COMMIT]:
                        records._count(game_id)
        except JournalError as error:
            records._problem = error
        except sqlite3.Error as error:
            records._problem = unwritable_error(path, error)
        return records

    def close(self) -> None:
        """Close the connection if nothing but the records uses it."""
        if not self._read_only:
            self._db.close()

    def count(self, game_id: int) -> None:
        """Count the turns appended to one game since its last count. Never raises."""
        if self._problem is not None:
            return
        try:
            with self._db:
                self._count(game_id)
        except JournalError as error:
            self._problem = error
        except sqlite3.Error as error:
            self._problem = unwritable_error(self._path, error)

    def _count(self, game_id: int) -> None:
        """Count the turns of one game in the open transaction. Raises `sqlite3.Error` and `JournalDamaged`."""
        done = self._rows("SELECT events FROM record_counted WHERE game = ?", game_id)
        changed: dict[str, RunningRecord] = {}
        for turn in self._turns(" AND a.game = ? AND t.number > ?", game_id, done[0][0] if done else 0):
            key = record_key(turn.started)
            changed[key] = add_turn(changed.get(key) or self._read(key), turn)
        for key, record in changed.items():
            before = None if record.best_before is None else str(record.best_before)
            scores = (str(record.total), str(record.best), before, str(record.last))
            values = (record.games, *scores, *record.last_turn)
            self._db.execute("INSERT OR REPLACE INTO record_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (key, *values))
        counted = (
            "INSERT OR REPLACE INTO record_counted SELECT game, max(number) FROM event WHERE game = ? GROUP BY game"
        )
        self._db.execute(counted, (game_id,))

    def of(self, game_id: int) -> tuple[GameStarted, RunningRecord] | None:
        """Return the first event of a finished one-player game and its record; None for any other game.

        Raises `JournalError`.
        """
        if self._problem is not None:
            raise self._problem
        mine = next(self._turns(" AND a.game = ?", game_id), None)
        if mine is None:
            return None
        key = record_key(mine.started)
        record = None
        if self._read_only:
            # A read-only journal may have outdated tables, or none, so the record is counted from the events.
            for turn in self.turns():
                if record_key(turn.started) == key:
                    record = add_turn(record, turn)
        else:
            record = self._read(key)
        return None if record is None else (mine.started, record)

    def turns(self) -> Iterator[LoneTurn]:
        """Yield every turn that counts for the records (best scores), oldest first. Raises `JournalDamaged`."""
        return self._turns(" ORDER BY a.game, t.number")

    def _read(self, key: str) -> RunningRecord | None:
        sql = "SELECT games, total, best, best_before, last, last_game, last_number FROM record_sums WHERE key = ?"
        rows = self._rows(sql, key)
        if not rows:
            return None
        games, total, best, best_before, last, *last_turn = rows[0]
        before = None if best_before is None else int(best_before)
        return RunningRecord(games, int(total), int(best), before, int(last), (last_turn[0], last_turn[1]))

    def _turns(self, which: str, *values: int) -> Iterator[LoneTurn]:
        for game_id, number, began, ended in self._rows(_TURNS + which, *values):
            started = self._event(game_id, began, GameStarted)
            yield LoneTurn(game_id, number, started, self._event(game_id, ended, TurnEnded).score)

    def _rows(self, sql: str, *values: int | str) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise JournalDamaged(f"journal {self._path} cannot be read: {error}") from error

    def _event(self, game_id: int, body: str, kind: type[Kind]) -> Kind:
        try:
            event = read_event(body)
        except ValueError as error:
            raise JournalDamaged(f"{self._path}: an event of game {game_id} cannot be read") from error
        if not isinstance(event, kind):
            raise JournalDamaged(f"{self._path}: game {game_id} has {event.kind} where {kind.__name__} belongs")
        return event
