"""Tables of values: solved once, then kept in memory, and big ones also as files in a folder.

A file has a header that describes its content, then little-endian float64.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from controller.odds.aim import Aim
from controller.odds.columns import Floats
from controller.odds.limits import BIG, MOST_BOARDS
from controller.odds.model import Model, boards_of
from controller.odds.progress import Progress
from controller.odds.solver import solve
from controller.odds.store import DamagedTable, load_table, make_room, save_table, table_path
from controller.rules.board import Board
from controller.rules.ruleset import Ruleset

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

    folder: where the big ones are kept; None: nowhere.
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
