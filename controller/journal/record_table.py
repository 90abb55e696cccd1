"""The records of those who play alone as tables of the journal: counted with each game, so nobody counts them again.

Which games belong to one record is decided in `record_key.py`; `records.py` shows records to people.

The tables are derived: a journal without them is complete, a version that does not know them passes them by, and what
it has written meanwhile is counted when the file is opened again.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from controller.errors import JournalDamaged, JournalError
from controller.game import GameStarted, TurnEnded
from controller.journal.database import connect
from controller.journal.migrations import read_event
from controller.journal.record_key import basis_digest, record_key
from controller.journal.unwritable import unwritable

Kind = TypeVar("Kind", GameStarted, TurnEnded)

_SCHEMA = (
    # Scores as text: a row of digits may be a number of forty of them, and SQLite's have nineteen at most.
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
    # How many events of each game have been counted.
    "CREATE TABLE IF NOT EXISTS record_counted (game INTEGER PRIMARY KEY, events INTEGER NOT NULL) STRICT",
    # What the keys were made by, and the form of these tables.
    "CREATE TABLE IF NOT EXISTS record_basis (digest TEXT PRIMARY KEY) STRICT",
)
_FORM = 2  # 1: scores as numbers in a table `record`, which versions of then go on with
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
# A power cut while many games are counted loses so many at most; a commit for each would wait for the disk each time.
_GAMES_A_COMMIT = 500
_PATIENCE_S = 0.1  # for another process that is writing; there should be none, and the loop waits meanwhile


@dataclass(frozen=True, slots=True)
class LoneTurn:
    """A finished single round of one player alone; `number` is that of the event that ended it in its game."""

    game_id: int
    number: int
    started: GameStarted
    score: int


@dataclass(frozen=True, slots=True)
class RunningRecord:
    """All that is said of a record when one more game is over, without its single scores: its size never grows.

    best_before: the lowest score but for the last one; None while there is one score only. last_turn: the game and the
    event that the last score is from.
    """

    games: int
    total: int
    best: int
    best_before: int | None
    last: int
    last_turn: tuple[int, int]

    @property
    def mean(self) -> float:
        """The average score."""
        return self.total / self.games


def add_turn(record: RunningRecord | None, turn: LoneTurn) -> RunningRecord:
    """The record with one more turn; one of an older game, finished after a younger one, is not the last."""
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

    Counting at the end of a game takes the same time however many games there are: it happens in the one loop that
    also keeps the pulses going, and whose silence the guard takes for a fault. What cannot be counted keeps nobody from
    playing: then `of` raises why, and nothing more is counted until the file is opened again.

    Where it writes it has a connection of its own, so that nothing that fails here can take back an event, and that
    waits for no disk (WAL with `synchronous=NORMAL`): what a power cut takes is counted when the file is opened again.

    Lifetime and concurrency: as its journal.
    """

    def __init__(self, db: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
        """Keep the records of the journal at `path`; `db` is its own connection, and the one to read by."""
        self._db = db
        self._path = path
        self._read_only = read_only
        self._problem: JournalError | None = None

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the records of a journal that is written, and count what is missing. Raises `sqlite3.Error`."""
        # Counted in the thread that writes, asked for in the loop once that has returned.
        db = connect(path, "rw", patience_s=_PATIENCE_S, of_one_thread=False)
        records = cls(db, path, read_only=False)
        records._catch_up()
        return records

    def close(self) -> None:
        """Close the connection, if it is the records' own."""
        if not self._read_only:
            self._db.close()

    def count(self, game_id: int) -> None:
        """Count the turns that were appended to one game since it was counted last. Never raises."""
        if self._problem is not None:
            return
        try:
            with self._db:
                self._count(game_id)
        except JournalError as error:
            self._problem = error
        except sqlite3.Error as error:
            self._problem = unwritable(self._path, error)

    def _catch_up(self) -> None:
        """Count what has not been counted yet, many games a commit: all of them the first time, later hardly any."""
        try:
            self._db.execute("PRAGMA synchronous = NORMAL")
            with self._db:
                self._make_tables()
            behind = [row[0] for row in self._db.execute(_BEHIND)]
            for first in range(0, len(behind), _GAMES_A_COMMIT):
                with self._db:
                    for game_id in behind[first : first + _GAMES_A_COMMIT]:
                        self._count(game_id)
        except JournalError as error:
            self._problem = error
        except sqlite3.Error as error:
            self._problem = unwritable(self._path, error)

    def _count(self, game_id: int) -> None:
        """Count the turns of one game in the transaction that is open. Raises `sqlite3.Error` and `JournalDamaged`."""
        for key, record in self._changed_records(game_id).items():
            before = None if record.best_before is None else str(record.best_before)
            scores = (str(record.total), str(record.best), before, str(record.last))
            values = (record.games, *scores, *record.last_turn)
            self._db.execute("INSERT OR REPLACE INTO record_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (key, *values))
        counted = (
            "INSERT OR REPLACE INTO record_counted SELECT game, max(number) FROM event WHERE game = ? GROUP BY game"
        )
        self._db.execute(counted, (game_id,))

    def of(self, game_id: int) -> tuple[GameStarted, RunningRecord] | None:
        """The record that a finished game belongs to, and how that game began; None if it is none of one player alone.

        Raises `JournalError`.
        """
        if self._problem is not None:
            raise self._problem
        mine = next(self._turns(" AND a.game = ?", game_id), None)
        if mine is None:
            return None
        key = record_key(mine.started)
        record = self._scan(key) if self._read_only else self._read(key)
        return None if record is None else (mine.started, record)

    def turns(self) -> Iterator[LoneTurn]:
        """Every turn that records are made of, the oldest first, as the events have it. Raises `JournalDamaged`."""
        return self._turns(" ORDER BY a.game, t.number")

    def _make_tables(self) -> None:
        for table in _SCHEMA:
            self._db.execute(table)
        basis = (f"{_FORM} {basis_digest()}",)
        if self._db.execute("SELECT digest FROM record_basis").fetchall() != [basis]:
            # Other games may be alike now, or another version has counted: all is counted anew.
            for clear in ("DELETE FROM record_sums", "DELETE FROM record_counted", "DELETE FROM record_basis"):
                self._db.execute(clear)
            self._db.execute("INSERT INTO record_basis VALUES (?)", basis)

    def _scan(self, key: str) -> RunningRecord | None:
        """The record out of the events: who only reads may find tables that are old, or none."""
        record = None
        for turn in self.turns():
            if record_key(turn.started) == key:
                record = add_turn(record, turn)
        return record

    def _changed_records(self, game_id: int) -> Mapping[str, RunningRecord]:
        """The records as they become by what was appended to one game."""
        done = self._rows("SELECT events FROM record_counted WHERE game = ?", game_id)
        changed: dict[str, RunningRecord] = {}
        for turn in self._turns(" AND a.game = ? AND t.number > ?", game_id, done[0][0] if done else 0):
            key = record_key(turn.started)
            changed[key] = add_turn(changed.get(key) or self._read(key), turn)
        return changed

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
