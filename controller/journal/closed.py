"""The journal of a box whose disk cannot be written: it is empty, and refuses every write with the reason."""

import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from controller.errors import JournalUnwritable
from controller.journal.journal import Journal
from controller.journal.record_table import RecordTable
from controller.journal.tables import FORMAT, make_tables


class UnavailableJournal(Journal):
    """Stands in for the journal at `path`, which could not be opened because of `problem`.

    The box starts all the same, so players see the problem at the table; nothing can be played that is not stored.
    """

    def __init__(self, path: Path, problem: JournalUnwritable) -> None:
        self.path = path
        self._problem = problem
        self._last_game = 0
        self._keys: dict[bytes, int] = {}
        self._format = FORMAT
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._closing = ExitStack()
        self._closing.callback(self._db.close)
        make_tables(self._db, 0)
        self._records = RecordTable(self._db, path, read_only=True)

    def _commit(self) -> NoReturn:
        raise self._problem
