"""The tables of a journal file, the formats that this version can read, and the packing of old games.

Of an old game, who played what and every turn's end stay in the tables; its other events are compressed. Nothing is
lost, but a journal of many years stays small enough to be checked every time the box starts.
"""

import sqlite3
from pathlib import Path

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
