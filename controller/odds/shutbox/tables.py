"""Tables of values: solved once, then kept in memory, and big ones also as files in a folder.

A file has a header that describes its content, then little-endian float64.
"""

import hashlib
import json
import os
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.model import Floats, Model, boards_of
from controller.odds.shutbox.solver import solve
from controller.odds.work import BIG, MOST_BOARDS, Progress
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset

_FORMAT = "shutbox odds 1"
_HEADER_BYTES = 4096  # a page, so that the numbers behind it are aligned
_NUMBER = np.dtype("<f8")
_REMAINS_AFTER_S = 3600.0


class DamagedTable(Exception):
    """A file that is not exactly the requested table; the message says what is wrong with it."""


def table_path(folder: Path, key: str) -> Path:
    """Return the path of the table of `key` in `folder`."""
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.odds"


def load_table(path: Path, key: str, size: int) -> NDArray[np.float64]:
    """Return the table in a file, shape (size,), memory-mapped after a check of the whole file.

    Raises `FileNotFoundError`, `OSError`, and `DamagedTable` if it holds anything else.
    """
    with path.open("rb") as file:
        text = file.read(_HEADER_BYTES)
    try:
        found = json.loads(text)
    except ValueError as error:
        raise DamagedTable("it has no header") from error
    header = found if isinstance(found, dict) else {}
    if (header.get("format"), header.get("key"), header.get("boards")) != (_FORMAT, key, size):
        raise DamagedTable("it holds something else")
    if path.stat().st_size != _HEADER_BYTES + size * _NUMBER.itemsize:
        raise DamagedTable("its length is wrong")
    values = np.memmap(path, _NUMBER, "r", _HEADER_BYTES, (size,))
    if hashlib.sha256(values.data).hexdigest() != header.get("sha256"):
        raise DamagedTable("its checksum is wrong")
    with suppress(OSError):
        os.utime(path)  # marks it as used, so that `make_room` removes others first
    return values


def save_table(path: Path, key: str, values: NDArray[np.float64]) -> None:
    """Write a table. Raises `OSError`.

    The file appears complete or not at all: it is written under another name, then renamed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for part in path.parent.glob(f"{path.stem}-*.part"):
        # A remainder of a writer that was killed, once it is too old to be in progress.
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > _REMAINS_AFTER_S:
                part.unlink()
    data = values.astype(_NUMBER, copy=False)
    header = {"format": _FORMAT, "key": key, "boards": len(data), "sha256": hashlib.sha256(data.data).hexdigest()}
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, 0o660)  # mkstemp allows only the owner; the folder decides who else has access
            file.write(json.dumps(header).encode().ljust(_HEADER_BYTES))
            file.write(data.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def make_room(folder: Path, most_bytes: int, keep: Path) -> None:
    """Remove the tables unused for longest until the rest, including `keep`, take at most `most_bytes`."""
    with suppress(OSError):
        files = sorted(folder.glob("*.odds"), key=lambda path: (path == keep, path.stat().st_mtime), reverse=True)
        taken = 0
        for path in files:
            taken += path.stat().st_size
            if taken > most_bytes and path != keep:
                path.unlink()


Warn = Callable[[str], None]

# The space that the tables in a folder may take together: that of three aims of six rows of nine.
MOST_BYTES = 1 << 30


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """The value of every board of a model before its throw: `values`, shape (model.size,)."""

    model: Model
    values: Floats

    def value(self, board: Board) -> float:
        """Return the value of a board that the model holds."""
        return float(self.values[self.model.index(board)])


@dataclass
class Recent:
    """The most recently used tables: at most `most`, with at most `most_boards` in all, and always the newest.

    Concurrency: any thread may call; two threads that miss the same table both solve it.
    """

    most: int
    most_boards: int
    _tables: OrderedDict[tuple[str, str], Table] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, key: str, board: Board) -> Table | None:
        """Return a table of `key` that holds `board`, if there is one."""
        with self._lock:
            for place, table in reversed(self._tables.items()):
                if place[0] == key and table.model.holds(board):
                    self._tables.move_to_end(place)
                    return table
        return None

    def keep(self, key: str, table: Table) -> None:
        """Keep a table, and drop those unused for longest."""
        with self._lock:
            self._tables[key, str(table.model.board)] = table
            boards = sum(each.model.size for each in self._tables.values())
            while len(self._tables) > 1 and (len(self._tables) > self.most or boards > self.most_boards):
                boards -= self._tables.popitem(last=False)[1].model.size


# As many tables as a file of questions may have different games; big games count by their boards.
RECENT = Recent(512, MOST_BOARDS)


@dataclass(frozen=True)
class Tables:
    """The tables of one ruleset.

    folder: where the big tables are kept; None: nowhere.
    progress: called with the fraction done of solving, 0..1.
    warn: called with one line if a file cannot be used or written.
    """

    rules: Ruleset
    folder: Path | None
    progress: Progress
    warn: Warn
    recent: Recent = field(default_factory=lambda: RECENT)

    def of(self, board: Board, aim: Aim) -> Table:
        """Return a table that holds `board`. Raises `TooManyBoards`."""
        key = f"{aim} {self.rules.options} {self.rules.marks}"
        found = self.recent.find(key, board)
        if found is None:
            model = Model.of(self.rules, self._origin(board))
            values = self._values(model, aim, f"{key} {model.board}")
            # A new model, so that the arrays which solving needed are not kept.
            found = Table(Model.of(self.rules, model.board), values)
            self.recent.keep(key, found)
        return found

    def _origin(self, board: Board) -> Board:
        """Return the board from which to solve: the start, or `board` if the whole game is big and its part is not."""
        start = self.rules.start()
        idle = [tile for tile in start.standing if self.rules.key_of(tile) is None and not board.stands(tile)]
        whole = start.without(idle)
        boards = boards_of(self.rules, whole)
        few = boards_of(self.rules, board) <= BIG
        return board if boards > MOST_BOARDS or (few and boards > BIG) else whole

    def _values(self, model: Model, aim: Aim, key: str) -> Floats:
        if self.folder is None or model.size <= BIG:
            return self._solved(model, aim)
        path = table_path(self.folder, key)
        values = self._loaded(path, key, model.size)
        return self._saved(path, key, self._solved(model, aim)) if values is None else values

    def _solved(self, model: Model, aim: Aim) -> Floats:
        return solve(model, aim.ends(model), greatest=aim.greatest, progress=self.progress)

    def _loaded(self, path: Path, key: str, size: int) -> Floats | None:
        try:
            return load_table(path, key, size)
        except FileNotFoundError:
            return None
        except (OSError, DamagedTable) as error:
            self.warn(f"the table of odds {path} cannot be used ({error}); it is worked out anew")
            return None

    def _saved(self, path: Path, key: str, values: Floats) -> Floats:
        try:
            save_table(path, key, values)
            make_room(path.parent, MOST_BYTES, path)
        except OSError as error:
            self.warn(f"the table of odds cannot be kept in {path.parent} ({error.strerror or error})")
            return values
        # Only the pages of the file that are used are in memory.
        loaded = self._loaded(path, key, len(values))
        return values if loaded is None else loaded
