"""The tables of a journal's file, and which formats of them this version knows."""

import sqlite3
from pathlib import Path

from controller.errors import JournalFormat

# 2: matches, marks, throws for who begins. 3: tiles that are believed. 4: choices taken back, keys. 5: whose doing,
# and tiles that were moved while the box was off. 6: the key of a command stands with the last of its events; old
# games are packed. 7: whether the box tells odds. 8: races.
FORMAT = 8
# A journal of an earlier format is read through controller/journal/migrations, and becomes one of this when written.
READABLE = (1, 2, 3, 4, 5, 6, 7, FORMAT)
_WITHOUT_ORIGINS, _WITHOUT_KEYS = 4, 5  # the last formats of that kind

_PAGE_BYTES = 1024  # the least that is written for an event; SQLite's own 4096 wear a card out for nothing

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
# To a table of events that is there already.
_ORIGINS = """
ALTER TABLE event ADD COLUMN door TEXT NOT NULL DEFAULT 'box';
ALTER TABLE event ADD COLUMN seat INTEGER;
"""
_KEYS = "ALTER TABLE event ADD COLUMN key BLOB;"


def format_of(db: sqlite3.Connection, path: Path) -> int:
    """The format of a journal that is open; 0 for a file without anything in it.

    Raises `JournalFormat` for one that this version does not know, and `sqlite3.Error`.
    """
    found = int(db.execute("PRAGMA user_version").fetchone()[0])
    is_empty = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if found not in READABLE and not (found == 0 and is_empty):
        formats = " and ".join(map(str, READABLE))
        raise JournalFormat(f"journal {path} has format {found}; this version reads the formats {formats}", found)
    return found


def make_tables(db: sqlite3.Connection, found: int) -> None:
    """Give a file of the format `found` the tables of today, all of them or none. Raises `sqlite3.Error`.

    Keys of commands that a version of a format before 6 carried out are forgotten: nobody repeats one after an update.
    """
    if found == FORMAT:
        return
    # A page of another size needs all of them written anew, which no write-ahead log can do.
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    db.execute("VACUUM")
    more = (_ORIGINS if 0 < found <= _WITHOUT_ORIGINS else "") + (_KEYS if 0 < found <= _WITHOUT_KEYS else "")
    db.executescript(f"BEGIN; {more} {_SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")


def events_of_game(found: int) -> str:
    """The query for the events of one game in a file of the format `found`."""
    origins = "'box', NULL" if found <= _WITHOUT_ORIGINS else "door, seat"
    return f"SELECT number, at, body, digest, {origins} FROM event WHERE game = ? ORDER BY number"  # noqa: S608
