"""The journal's file: how events are written and read, which formats are known, and the check of a replay.

Every event of every game is durable before anything acts on it.

SQLite in WAL mode with `synchronous=FULL`: NORMAL lost acknowledged commits in 194 of 200 simulated power cuts,
FULL in none. Beside each event stands a digest of the game after it, so that a replay can be checked.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.errors import JournalDamaged, JournalDiffers, JournalFormat, JournalUnwritable
from controller.game import BY_THE_BOX, EVENT, Door, Game, GameEvent, GameStarted, Origin, TurnEnded, digest_of, evolve
from controller.journal.migrations import read_event
from controller.journal.record_table import LoneTurn, RecordTable, RunningRecord
from controller.rules import RulesError

# 2: matches, marks, throws for who begins. 3: tiles that are believed. 4: choices taken back, keys. 5: whose doing,
# and tiles that were moved while the box was off.
FORMAT = 5
# A journal of an earlier format is read through controller/journal/migrations, and becomes one of this when written.
_READABLE = (1, 2, 3, 4, FORMAT)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS game (
    id INTEGER PRIMARY KEY,
    box TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS event (
    game INTEGER NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    body TEXT NOT NULL,
    digest TEXT NOT NULL,
    door TEXT NOT NULL DEFAULT 'box',
    seat INTEGER,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS command (
    key TEXT PRIMARY KEY,
    game INTEGER NOT NULL,
    event INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seat (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    door TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""
# To a table of events that is there already.
_WITH_ORIGINS = """
ALTER TABLE event ADD COLUMN door TEXT NOT NULL DEFAULT 'box';
ALTER TABLE event ADD COLUMN seat INTEGER;
"""
_EVENTS = "SELECT number, at, body, digest, door, seat FROM event WHERE game = ? ORDER BY number"
_EVENTS_WITHOUT_ORIGINS = "SELECT number, at, body, digest, 'box', NULL FROM event WHERE game = ? ORDER BY number"
_GAMES_WITH_KEYS = 2  # nobody repeats a command of an older game


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it stands in the journal: its number in its game (from 1), the digest after it, and whose doing it
    was; in games of before format 5, nobody's.
    """

    number: int
    at: str
    event: GameEvent
    digest: str
    origin: Origin = BY_THE_BOX


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat that somebody has taken: his name, the digest of the token that he shows, and his door."""

    name: str
    token: str
    door: Door


class Journal:
    """The games of one box, in one file.

    What is not in it has not happened: a game is taken up from here alone after a power cut.

    Lifetime: opened before the box, closed last. A commit that returned has reached the disk.
    Concurrency: one thread and one process; the daemon's lock keeps others away.
    Raises: `JournalDamaged` or `JournalFormat` on opening or reading.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        mode = "ro" if read_only else "rwc"
        with ExitStack() as closing:
            try:
                if not read_only:
                    _make_file(path)
                self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)
                closing.callback(self._db.close)
                self._prepare(read_only)
                self._records = RecordTable(self._db, path, read_only=True) if read_only else RecordTable.open(path)
            except sqlite3.Error as error:
                raise JournalDamaged(_opening_problem(path, error, read_only=read_only)) from error
            closing.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; everything committed is in it."""
        self._records.close()
        self._db.close()

    def next_game_id(self) -> int:
        """The id for a new game. It exists once its first entries are appended."""
        return int(self._rows("SELECT coalesce(max(id), 0) + 1 FROM game")[0][0])

    def append(self, game_id: int, box: str, entries: Sequence[Entry], key: str | None = None) -> None:
        """Write the entries of one player action on `box`, and the key of its command, in one commit.

        Raises `JournalUnwritable`; then none is written.
        """
        rows = [
            (game_id, each.number, each.at, EVENT.dump_json(each.event).decode(), each.digest, *_columns(each.origin))
            for each in entries
        ]
        with self._commit():
            self._db.execute("INSERT OR IGNORE INTO game (id, box) VALUES (?, ?)", (game_id, box))
            self._db.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            if key is not None:
                self._insert_key(key, game_id, entries[-1].number)
        if any(isinstance(entry.event, TurnEnded) for entry in entries):
            # Only now: what is derived from the events must never take one of them back.
            self._records.count(game_id)

    def note_key(self, key: str, game_id: int, event: int) -> None:
        """Note the key of a command that makes no event, before it is carried out. Raises `JournalUnwritable`."""
        with self._commit():
            self._insert_key(key, game_id, event)

    def knows_key(self, key: str) -> bool:
        """True if a command with this key has been carried out, in the last games at least."""
        return bool(self._rows("SELECT 1 FROM command WHERE key = ?", key))

    def keep_seats(self, seats: Iterable[HeldSeat]) -> None:
        """Write down who holds which seat, in place of what stood there. Raises `JournalUnwritable`."""
        with self._commit():
            self._db.execute("DELETE FROM seat")
            rows = ((seat.name, seat.token, seat.door) for seat in seats)
            self._db.executemany("INSERT INTO seat VALUES (?, ?, ?)", rows)

    def held_seats(self) -> list[HeldSeat]:
        """Who holds which seat: that outlasts a restart."""
        return [HeldSeat(*row) for row in self._rows("SELECT name, token, door FROM seat ORDER BY name")]

    def game_ids(self) -> list[int]:
        """Every game, the oldest first."""
        return [row[0] for row in self._rows("SELECT id FROM game ORDER BY id")]

    def box_of(self, game_id: int) -> str:
        """The name of the box that a game was played on."""
        return str(self._rows("SELECT box FROM game WHERE id = ?", game_id)[0][0])

    def entries(self, game_id: int) -> list[Entry]:
        """The events of one game in their order."""
        sql = _EVENTS if self._format >= FORMAT else _EVENTS_WITHOUT_ORIGINS
        return [self._entry(game_id, *row) for row in self._rows(sql, game_id)]

    def lone_turns(self) -> Iterator[LoneTurn]:
        """Every finished single round of one player alone, the oldest first."""
        return self._records.turns()

    def running_record(self, game_id: int) -> tuple[GameStarted, RunningRecord] | None:
        """The first event of a game of one player alone and the record it belongs to; None for others, or unfinished.

        Raises `JournalError` where records could not be counted.
        """
        return self._records.of(game_id)

    @contextmanager
    def _commit(self) -> Iterator[None]:
        """One commit of all that is written in the block, or none of it. Raises `JournalUnwritable`."""
        try:
            with self._db:
                yield
        except sqlite3.Error as error:
            raise JournalUnwritable(f"journal {self.path} cannot be written: {error}; make room on the disk") from error

    def _insert_key(self, key: str, game_id: int, event: int) -> None:
        """Note a key in the transaction that is open, and forget those of old games. Raises `sqlite3.Error`."""
        self._db.execute("INSERT INTO command VALUES (?, ?, ?)", (key, game_id, event))
        self._db.execute("DELETE FROM command WHERE game <= ?", (game_id - _GAMES_WITH_KEYS,))

    def _entry(self, game_id: int, number: int, at: str, body: str, digest: str, door: Door, seat: int | None) -> Entry:
        try:
            return Entry(number, at, read_event(body), digest, Origin(door, seat))
        except ValueError as error:
            raise JournalDamaged(f"{self.path}: event {number} of game {game_id} cannot be read") from error

    def _rows(self, sql: str, *values: int | str) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise JournalDamaged(f"journal {self.path} cannot be read: {error}") from error

    def _prepare(self, read_only: bool) -> None:
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        empty = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if found not in _READABLE and not (found == 0 and empty and not read_only):
            formats = " and ".join(map(str, _READABLE))
            raise JournalFormat(f"journal {self.path} has format {found}; this version reads the formats {formats}")
        self._format = found if read_only else FORMAT
        if read_only:
            return
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if found != FORMAT:
            more = "" if empty else _WITH_ORIGINS
            self._db.executescript(f"BEGIN; {_SCHEMA} {more} PRAGMA user_version = {FORMAT}; COMMIT;")


def _columns(origin: Origin) -> tuple[str, int | None]:
    return origin.door, origin.seat


def _make_file(path: Path) -> None:
    """Make the file where there is none, for the group too: one that SQLite makes is never the group's to write."""
    with suppress(OSError):  # SQLite says what is wrong
        path.touch(mode=0o660)


def _opening_problem(path: Path, error: sqlite3.Error, *, read_only: bool) -> str:
    if not path.exists() and read_only:
        return f"journal {path} cannot be opened: there is no such file"
    if not path.exists():
        return f"journal {path} cannot be made: {error}; make its folder writable, or set SHUTBOX_HOME to another"
    cure = "name another file" if read_only else "move the file away to start afresh"
    return f"journal {path} cannot be opened: {error}; {cure}"


def replay_checked(entries: Sequence[Entry]) -> Game | None:
    """Replay a game; raises `JournalDiffers` at the first event that leads elsewhere than was noted."""
    game: Game | None = None
    for expected, entry in enumerate(entries, 1):
        if entry.number != expected:
            raise JournalDiffers(f"event {expected} is missing; the next one is {entry.number}")
        try:
            game = evolve(game, entry.event)
        except (RulesError, ValueError) as error:
            raise JournalDiffers(f"event {entry.number} ({entry.event.kind}): {error}") from error
        if digest_of(game) != entry.digest:
            raise JournalDiffers(f"event {entry.number} ({entry.event.kind}) leads to another state than was noted")
    return game
