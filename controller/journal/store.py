"""The journal file: write and read the events of games.

Every event is durable before anything acts on it.

SQLite runs in WAL mode with `synchronous=FULL`: NORMAL lost acknowledged commits in 194 of 200 simulated power cuts,
FULL in none. Each event is stored with a digest of the game after it, so that a replay can be checked.
"""

import errno
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.errors import JournalDamaged
from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameStarted
from controller.game.core.players import BY_THE_BOX, Door, Origin
from controller.game.shutbox.events import TurnEnded
from controller.game.table.wire import EVENT
from controller.journal.backup_copy import add_games
from controller.journal.database import Mode, connect, is_disk_error, unwritable_error
from controller.journal.files import backup_copy_of, high_water_mark_of
from controller.journal.high_water_mark import BEFORE_FIRST_EVENT, HighWaterMark, HighWaterMarkFile
from controller.journal.keys import GAMES_WITH_KEYS, STORED_BYTES, CommandKey, UsedKeys
from controller.journal.migrations import read_event
from controller.journal.record_table import LoneTurn, RecordTable, RunningRecord
from controller.journal.tables import FORMAT, events_of_game, format_of, make_tables, pack_old_games, unpack

_log = logging.getLogger(__name__)

_MOST_QUOTED = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in the journal.

    number: its number in its game, from 1.
    digest: of the game after it.
    origin: who caused it; unknown (`BY_THE_BOX`) in games older than format 5.
    """

    number: int
    at: str
    event: GameEvent
    digest: str
    origin: Origin = BY_THE_BOX


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """A seat that is taken: the player's name, the digest of their token, and the door they came in by."""

    name: str
    token: str
    door: Door


class Journal:
    """The games of one box, in one file.

    After a power cut a game resumes from this file alone: an event that is not in it has not happened.

    Lifetime: opened before the box, closed last. A commit that has returned is on the disk.
    Concurrency: one process; the daemon's lock keeps others away. One thread at a time writes. `keys` and
    `next_game_id` do not touch the disk, so the event loop never waits for it.
    Raises: `JournalDamaged` or `JournalFormat` when opening or reading, `JournalUnwritable` when creating a new one.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._last_game = 0
        self.keys = UsedKeys()
        self._is_new_to_marks = False
        mode: Mode = "ro" if read_only else "rwc"
        with ExitStack() as closing:
            try:
                if not read_only:
                    # A file created by SQLite would not be group-writable. SQLite reports what is wrong with the path.
                    with suppress(OSError):
                        path.touch(mode=0o660)
                # A writable journal is used by the thread of `JournalWriter` too.
                self._db = connect(path, mode, of_one_thread=read_only)
                closing.callback(self._db.close)
                self._prepare(read_only)
                self._records = RecordTable(self._db, path, read_only=True) if read_only else RecordTable.open(path)
            except (sqlite3.Error, UnicodeError) as error:
                of_disk = isinstance(error, sqlite3.Error) and is_disk_error(error)
                if of_disk and not read_only and path.exists():
                    raise unwritable_error(path, error) from error
                raise JournalDamaged(_opening_problem(path, error, read_only=read_only)) from error
            closing.callback(self._records.close)
            if not read_only:
                self._open_for_writing(closing)
            self._closing = closing.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._closing.close()

    def next_game_id(self) -> int:
        """Return the id for a new game, which exists once its first entries are appended."""
        return self._last_game + 1

    def append(self, game_id: int, box: str, entries: Sequence[Entry], key: CommandKey | None = None) -> None:
        """Write the entries of one player action on `box`, and the key of its command, in one commit.

        Raises `JournalUnwritable`; nothing is written then.
        """
        rows = [
            (
                game_id,
                each.number,
                each.at,
                EVENT.dump_json(each.event).decode(),
                each.digest,
                each.origin.door,
                each.origin.seat,
            )
            for each in entries
        ]
        # The key is stored with the last event: a table of its own would cost one more disk page for every action.
        keys = [None] * (len(rows) - 1) + [None if key is None else key.stored]
        with self._commit():
            self._db.execute("INSERT OR IGNORE INTO game (id, box) VALUES (?, ?)", (game_id, box))
            keyed = [(*row, short) for row, short in zip(rows, keys, strict=False)]
            self._db.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", keyed)
        self._last_game = max(self._last_game, game_id)
        if key is not None:
            self.keys.add(key, game_id)
        if entries:
            self._mark(HighWaterMark.of(game_id, entries[-1].number, box, entries[-1].digest))
        if any(isinstance(entry.event, TurnEnded) for entry in entries):
            # After the commit: a failure in derived data must never roll an event back.
            self._records.count(game_id)

    def tidy(self, game_id: int, entries: Sequence[Entry]) -> None:
        """Do the housekeeping after these entries were written; no caller waits for it.

        The end of a turn empties the write-ahead log into the file, because one bad block in the log would lose all
        that it holds. The end of a game adds the game to the backup copy and packs old games.
        """
        if not any(isinstance(entry.event, TurnEnded | GameEnded | GameAbandoned) for entry in entries):
            return
        try:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if any(isinstance(entry.event, GameEnded | GameAbandoned) for entry in entries):
                add_games(self._db, backup_copy_of(self.path), game_id)
                pack_old_games(self._db)
        except (sqlite3.Error, OSError) as error:
            _log.warning("journal log not emptied, or backup copy not written path=%s error=%s", self.path, error)

    def note_key(self, key: CommandKey, game_id: int, event: int) -> None:
        """Store the key of a command that makes no event, before it is carried out. Raises `JournalUnwritable`."""
        with self._commit():
            self._db.execute("INSERT INTO lone_key VALUES (?, ?, ?)", (key.stored, game_id, event))
            self._db.execute("DELETE FROM lone_key WHERE game <= ?", (game_id - GAMES_WITH_KEYS,))
        self.keys.add(key, game_id)

    def keep_seats(self, seats: Iterable[HeldSeat]) -> None:
        """Replace the list of held seats. Raises `JournalUnwritable`."""
        with self._commit():
            self._db.execute("DELETE FROM seat")
            rows = ((seat.name, seat.token, seat.door) for seat in seats)
            self._db.executemany("INSERT INTO seat VALUES (?, ?, ?)", rows)

    def held_seats(self) -> list[HeldSeat]:
        """Return the held seats, which outlast a restart."""
        return [HeldSeat(*row) for row in self._rows("SELECT name, token, door FROM seat ORDER BY name")]

    def game_ids(self) -> list[int]:
        """Return the ids of all games, oldest first."""
        return [row[0] for row in self._rows("SELECT id FROM game ORDER BY id")]

    def box_of(self, game_id: int) -> str:
        """Return the name of the box on which a game was played."""
        return str(self._rows("SELECT box FROM game WHERE id = ?", game_id)[0][0])

    def entries(self, game_id: int) -> list[Entry]:
        """Return the events of one game in their order, packed ones included. Raises `JournalDamaged`."""
        rows = self._rows(events_of_game(self._format), game_id)
        if self._format == FORMAT:
            try:
                for (packed,) in self._rows("SELECT events FROM packed WHERE game = ?", game_id):
                    rows += unpack(packed)
            except ValueError as error:
                raise JournalDamaged(f"{self.path}: the events of game {game_id} cannot be read") from error
            rows.sort()
        return [self._entry(game_id, *row) for row in rows]

    def readable_entries(self, game_id: int) -> list[Entry]:
        """Return the events of one game up to the first that cannot be read."""
        found = []
        with suppress(JournalDamaged, sqlite3.Error):
            for row in self._db.execute(events_of_game(self._format), (game_id,)):
                found.append(self._entry(game_id, *row))  # noqa: PERF401  keeps what was read before an error
        return found

    def knows(self, mark: HighWaterMark) -> bool:
        """Return True if the marked event is in this journal, in a game of the same box."""
        sql = "SELECT box, digest FROM event JOIN game ON id = game WHERE game = ? AND number = ?"
        found = self._rows(sql, mark.game_id, mark.number)
        return [HighWaterMark.of(mark.game_id, mark.number, *row) for row in found] == [mark]

    def has_strays(self) -> bool:
        """Return True if there are games without events, or events after the last game.

        Raises `JournalDamaged` if a game cannot be read.
        """
        self._rows("SELECT box FROM game")
        empty = self._rows("SELECT 1 FROM game WHERE NOT EXISTS (SELECT 1 FROM event WHERE game = id) LIMIT 1")
        last = self._rows("SELECT coalesce((SELECT max(id) FROM game), 0), coalesce((SELECT max(game) FROM event), 0)")
        return bool(empty) or last[0][0] != last[0][1]

    def count_events(self, game_id: int | None = None) -> int:
        """Return the number of unpacked events of one game, or of all games."""
        if game_id is None:
            return int(self._rows("SELECT count(*) FROM event")[0][0])
        return int(self._rows("SELECT count(*) FROM event WHERE game = ?", game_id)[0][0])

    def last_mark(self) -> HighWaterMark | None:
        """Return the mark of the last event; None if there is no event, or for earlier formats, which have no marks."""
        if self._format != FORMAT:
            return None
        last = "SELECT game, number, box, digest FROM event JOIN game ON id = game ORDER BY game DESC, number DESC"
        return next((HighWaterMark.of(*row) for row in self._rows(f"{last} LIMIT 1")), None)

    def lone_turns(self) -> Iterator[LoneTurn]:
        """Yield every finished single round of one player alone, oldest first."""
        return self._records.turns()

    def running_record(self, game_id: int) -> tuple[GameStarted, RunningRecord] | None:
        """Return the first event of a one-player game and the record it belongs to.

        None for an unfinished game or one of several players. Raises `JournalError` if records could not be counted.
        """
        return self._records.of(game_id)

    @contextmanager
    def _commit(self) -> Iterator[None]:
        """Commit everything written in the block, or nothing of it. Raises `JournalUnwritable`."""
        try:
            with self._db:
                yield
        except sqlite3.Error as error:
            raise unwritable_error(self.path, error) from error

    def _mark(self, mark: HighWaterMark) -> None:
        """Write the mark of the event that is acknowledged next. If this fails, the events stay valid."""
        try:
            self._marks.write(mark)
        except OSError as error:
            _log.warning("high-water mark not written path=%s error=%s", self.path, error)

    def _entry(self, game_id: int, number: int, at: str, body: str, digest: str, door: Door, seat: int | None) -> Entry:
        try:
            return Entry(number, at, read_event(body), digest, Origin(door, seat))
        except ValueError as error:
            raise JournalDamaged(f"{self.path}: event {number} of game {game_id} cannot be read") from error

    def _rows(self, sql: str, *values: int | str) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            # SQLite quotes the text that it could not read, at length.
            short = str(error)[:_MOST_QUOTED]
            raise JournalDamaged(f"journal {self.path} is damaged ({short}); start the box, which mends it") from error

    def _prepare(self, read_only: bool) -> None:
        """Set the connection up; a writable journal gets the tables of today's format.

        Raises `sqlite3.Error`, `JournalDamaged` or `JournalUnwritable`.
        """
        self._format = format_of(self._db, self.path)
        if read_only and self._format == 0:
            raise JournalDamaged(f"journal {self.path} cannot be opened: there is no game in it; name another file")
        if read_only:
            return
        self._is_new_to_marks = self._format != FORMAT
        make_tables(self._db, self._format)
        self._format = FORMAT
        # SQLite falls back silently where WAL is impossible; its fallback lost an acknowledged event in a power cut.
        if self._db.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise unwritable_error(self.path, OSError(errno.EIO, "no write-ahead log can be made"))
        self._db.execute("PRAGMA synchronous = FULL")

    def _open_for_writing(self, closing: ExitStack) -> None:
        """Open the mark, and load what is looked up during play without the disk. Raises `JournalUnwritable`."""
        try:
            self._marks = closing.enter_context(HighWaterMarkFile(high_water_mark_of(self.path)))
        except OSError as error:
            raise unwritable_error(self.path, error) from error
        mark = self.last_mark()
        if self._is_new_to_marks and mark is not None:
            self._mark(mark)
        elif mark is None and self._marks.is_blank:  # an existing mark is evidence of lost events: keep it
            self._mark(BEFORE_FIRST_EVENT)
        self._last_game = int(self._rows("SELECT coalesce(max(id), 0) FROM game")[0][0])
        # Versions that did not store whose a key is made them shorter; no client repeats a command after an update.
        sql = (
            "SELECT key, game FROM (SELECT key, game FROM event WHERE game > ? UNION SELECT key, game FROM lone_key)"
            " WHERE length(key) = ? ORDER BY game"
        )
        self.keys = UsedKeys(self._rows(sql, self._last_game - GAMES_WITH_KEYS, STORED_BYTES))


def _opening_problem(path: Path, error: Exception, *, read_only: bool) -> str:
    if not path.exists() and read_only:
        return f"journal {path} cannot be opened: there is no such file"
    if not path.exists():
        return f"journal {path} cannot be made: {error}; make its folder writable, or set SHUTBOX_HOME to another"
    cure = (
        "start the box, which mends its own, or name another file"
        if read_only
        else f"move it and all that is called {path.stem}.* away to start afresh"
    )
    return f"journal {path} cannot be opened: {error}; {cure}"
