"""Tables of values: solved once, then kept in memory, and the big ones in a folder too."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from controller.odds import store
from controller.odds.aim import Aim
from controller.odds.limits import BIG, MOST_BOARDS
from controller.odds.model import Model, boards_of
from controller.odds.progress import Progress
from controller.odds.solver import solve
from controller.odds.turn import Floats
from controller.rules import Board, Ruleset

Warn = Callable[[str], None]

# What the tables in a folder may take together: those of three aims of six rows of nine.
MOST_BYTES = 1 << 30


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """The value of every board of a model before its throw: `values`, shape (model.size,)."""

    model: Model
    values: Floats

    def value(self, board: Board) -> float:
        """The value of a board that the model holds."""
        return float(self.values[self.model.index(board)])


@dataclass
class Recent:
    """The tables used last: as many as `most` and `most_boards` in all allow, and always the newest.

    Concurrency: any thread may call; two that miss the same table both solve it.
    """

    most: int
    most_boards: int
    _tables: OrderedDict[tuple[str, str], Table] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, key: str, board: Board) -> Table | None:
        """A table of `key` that holds `board`, if there is one."""
        with self._lock:
            for place, table in reversed(self._tables.items()):
                if place[0] == key and table.model.holds(board):
                    self._tables.move_to_end(place)
                    return table
        return None

    def keep(self, key: str, table: Table) -> None:
        """Keep a table, and forget those unused for longest."""
        with self._lock:
            self._tables[key, str(table.model.board)] = table
            while len(self._tables) > 1 and self._too_many():
                self._tables.popitem(last=False)

    def _too_many(self) -> bool:
        boards = sum(each.model.size for each in self._tables.values())
        return len(self._tables) > self.most or boards > self.most_boards


# As many as a file of questions may have kinds of games; the boards of big ones are counted.
RECENT = Recent(512, MOST_BOARDS)


@dataclass(frozen=True)
class Tables:
    """The tables of one ruleset.

    folder: where the big ones are kept; None: nowhere. progress: told the fraction done of solving, 0..1.
    warn: told one line when a file had to be left aside or could not be written.
    """

    rules: Ruleset
    folder: Path | None
    progress: Progress
    warn: Warn
    recent: Recent = field(default_factory=lambda: RECENT)

    def of(self, board: Board, aim: Aim) -> Table:
        """A table that holds `board`. Raises `TooManyBoards`."""
        key = f"{aim} {self.rules.options} {self.rules.marks}"
        found = self.recent.find(key, board)
        if found is None:
            model = Model.of(self.rules, self._origin(board))
            values = self._values(model, aim, f"{key} {model.board}")
            # A model of its own: the arrays that solving needed are not kept.
            found = Table(Model.of(self.rules, model.board), values)
            self.recent.keep(key, found)
        return found

    def _origin(self, board: Board) -> Board:
        """From which board on to solve: the start of the game, or `board` where that is big and this is not."""
        start = self.rules.start()
        idle = [tile for tile in start.standing if self.rules.key_of(tile) is None and not board.stands(tile)]
        whole = start.without(idle)
        boards = boards_of(self.rules, whole)
        few = boards_of(self.rules, board) <= BIG
        return board if boards > MOST_BOARDS or (few and boards > BIG) else whole

    def _values(self, model: Model, aim: Aim, key: str) -> Floats:
        if self.folder is None or model.size <= BIG:
            return self._solved(model, aim)
        path = store.path_of(self.folder, key)
        values = self._loaded(path, key, model.size)
        return self._saved(path, key, self._solved(model, aim)) if values is None else values

    def _solved(self, model: Model, aim: Aim) -> Floats:
        return solve(model, aim.ends(model), greatest=aim.greatest, progress=self.progress)

    def _loaded(self, path: Path, key: str, size: int) -> Floats | None:
        try:
            return store.load(path, key, size)
        except FileNotFoundError:
            return None
        except (OSError, store.DamagedTable) as error:
            self.warn(f"the table of odds {path} cannot be used ({error}); it is worked out anew")
            return None

    def _saved(self, path: Path, key: str, values: Floats) -> Floats:
        try:
            store.save(path, key, values)
            store.make_room(path.parent, MOST_BYTES, path)
        except OSError as error:
            self.warn(f"the table of odds cannot be kept in {path.parent} ({error.strerror or error})")
            return values
        # From the file only those pages are in memory that are looked at.
        loaded = self._loaded(path, key, len(values))
        return values if loaded is None else loaded
