"""What can befall a journal that stays a good database: rows and tables, changed by SQL behind the program's back.

The game under way is the second one, and its third event is a throw.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.campaigns.crashes.file_damages import Damage

_CHANGES: Mapping[str, str] = {
    "the last event removed": (
        "DELETE FROM event WHERE game = 2 AND number = (SELECT max(number) FROM event WHERE game = 2)"
    ),
    "the last three events removed": (
        "DELETE FROM event WHERE game = 2 AND number > (SELECT max(number) - 3 FROM event WHERE game = 2)"
    ),
    "an event amid it removed": "DELETE FROM event WHERE game = 2 AND number = 3",
    "all events of the game removed": "DELETE FROM event WHERE game = 2",
    "the game removed": "DELETE FROM event WHERE game = 2; DELETE FROM game WHERE id = 2",
    "an event that is no JSON": "UPDATE event SET body = 'milk' WHERE game = 2 AND number = 3",
    "other dice in an event": (
        "UPDATE event SET body = json_set(body, '$.dice', json('[6,6]')) WHERE game = 2 AND number = 3"
    ),
    "another digest": "UPDATE event SET digest = 'milk' WHERE game = 2 AND number = 3",
    "the table of events dropped": "DROP TABLE event",
    "the table of games dropped": "DROP TABLE game",
    "the table of keys dropped": "DROP TABLE lone_key",
    "the table of seats dropped": "DROP TABLE seat",
    "the format of a later version": "PRAGMA user_version = 99",
    "no format": "PRAGMA user_version = 0",
    "no write-ahead log": "PRAGMA journal_mode = DELETE",
    "another box's name": "UPDATE game SET box = 'two-level-12'",
}


def damages_by_sql(name: str) -> Iterator[Damage]:
    """Everything of this kind that can befall the journal of this name."""

    def run(sql: str, home: Path) -> None:
        with closing(sqlite3.connect(home / name)) as db:
            db.executescript(sql)

    for what, sql in _CHANGES.items():
        yield Damage(f"{name}: {what}", partial(run, sql))
