"""The tables of a journal file, the formats that this version can read, and the packing of old games.

Of an old game, who played what and every turn's end stay in the tables; its other events are compressed. Nothing is
lost, but a journal of many years stays small enough to be checked every time the box starts.
"""

import json
import sqlite3
import zlib
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter

from controller.errors import JournalFormat

# What each format brought:
# 2: matches, tile marks, throws for who begins. 3: overridden sensors. 4: undone choices, command keys.
# 5: origins of events, tiles moved while the box was off. 6: command keys stored with events, packed old games.
# 7: the option for hints. 8: races.
FORMAT = 8
# Journals of earlier formats are read through `migrations`, and converted to this one when opened for writing.
READABLE = (1, 2, 3, 4, 5, 6, 7, FORMAT)
_WITHOUT_ORIGINS, _WITHOUT_KEYS = 4, 5  # the last format without each

_PAGE_BYTES = 1024  # the smallest write for an event; SQLite's default of 4096 would wear the card out faster

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
    key BLOB,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS packed (
    game INTEGER PRIMARY KEY REFERENCES game (id),
    events BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS lone_key (
    key BLOB NOT NULL,
    game INTEGER NOT NULL,
    event INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS seat (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    door TEXT NOT NULL
) STRICT, WITHOUT ROWID;
DROP TABLE IF EXISTS command;
"""
# Added to an existing table of events.
_ORIGINS = """
ALTER TABLE event ADD COLUMN door TEXT NOT NULL DEFAULT 'box';
ALTER TABLE event ADD COLUMN seat INTEGER;
"""
_KEYS = "ALTER TABLE event ADD COLUMN key BLOB;"


def format_of(db: sqlite3.Connection, path: Path) -> int:
    """Return the format of an open journal; 0 for an empty file.

    Raises `JournalFormat` for a format that this version does not know, and `sqlite3.Error`.
    """
    found = int(db.execute("PRAGMA user_version").fetchone()[0])
    is_empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if found not in READABLE and not (found == 0 and is_empty):
        formats = " and ".join(map(str, READABLE))
        raise JournalFormat(f"journal {path} has format {found}; this version reads the formats {formats}", found)
    return found


def make_tables(db: sqlite3.Connection, found: int) -> None:
    """Give a file of format `found` the tables of today's format, all of them or none. Raises `sqlite3.Error`.

    Command keys from formats before 6 are dropped: no client repeats a command after an update.
    """
    if found == FORMAT:
        return
    # A new page size means rewriting the whole file, which is impossible in WAL mode.
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    db.execute("VACUUM")
    more = (_ORIGINS if 0 < found <= _WITHOUT_ORIGINS else "") + (_KEYS if 0 < found <= _WITHOUT_KEYS else "")
    db.executescript(f"BEGIN; {more} {_SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")


def events_of_game(found: int) -> str:
    """Return the query for the events of one game in a file of format `found`."""
    origins = "'box', NULL" if found <= _WITHOUT_ORIGINS else "door, seat"
    return f"SELECT number, at, body, digest, {origins} FROM event WHERE game = ? ORDER BY number"  # noqa: S608


_WHOLE = 500  # the newest games, which people look back on, stay unpacked
_AT_ONCE = 50  # games packed in one commit
_RESULTS = frozenset({"game_started", "turn_ended", "game_ended", "game_abandoned"})
_MOST_BYTES = 50_000_000  # limit of an unpacked game: a journal may come from anywhere
_COLUMNS = "number, at, body, digest, door, seat"

Row = tuple[int, str, str, str, str, int | None]
_ROWS: TypeAdapter[list[Row]] = TypeAdapter(list[Row])


def pack_old_games(db: sqlite3.Connection, schema: str = "main") -> None:
    """Pack games of the journal attached as `schema`, once there are enough old ones. Raises `sqlite3.Error`."""
    last = db.execute(f"SELECT coalesce(max(id), 0) FROM {schema}.game").fetchone()[0]  # noqa: S608
    done = db.execute(f"SELECT coalesce(max(game), 0) FROM {schema}.packed").fetchone()[0]  # noqa: S608
    if last - _WHOLE - done < _AT_ONCE:
        return
    with db:
        for game_id in range(done + 1, done + 1 + _AT_ONCE):
            with suppress(ValueError, KeyError):  # a game with an unreadable event stays unpacked
                sql = f"SELECT {_COLUMNS} FROM {schema}.event WHERE game = ? ORDER BY number"  # noqa: S608
                rows = [row for row in db.execute(sql, (game_id,)) if json.loads(row[2])["kind"] not in _RESULTS]
                packed = zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 9)
                db.execute(f"INSERT INTO {schema}.packed VALUES (?, ?)", (game_id, packed))  # noqa: S608
                numbers = [(game_id, row[0]) for row in rows]
                db.executemany(f"DELETE FROM {schema}.event WHERE game = ? AND number = ?", numbers)  # noqa: S608


def unpack(body: bytes) -> list[Row]:
    """Return packed events as rows of number, time, body, digest, door and seat. Raises `ValueError`."""
    try:
        return _ROWS.validate_json(zlib.decompressobj().decompress(body, _MOST_BYTES))
    except zlib.error as error:
        raise ValueError(str(error)) from error
