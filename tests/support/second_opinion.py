"""The rules and the odds of every game once more: slow, plain, and written from the rules alone.

It shares no line with the program, so that a mistake has to be made twice to go unseen.
A board is the set of the names of its standing tiles; an aim is "score", "shut" or "at-most:N".
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import ceil, prod

Throw = tuple[int, ...]
Standing = frozenset[str]
TIE = 1e-12

PLAIN: dict[str, object] = {
    "tiles": 9,
    "rows": 1,
    "dice": None,
    "one_die": "only1",
    "one_die_limit": 6,
    "one_die_total": "standing",
    "one_die_forced": False,
    "many_dice": "one_or_all",
    "reveal": "next_throw",
    "score": "showing",
    "max_tiles": None,
    "on_seven": "turn",
    "domino_match": "pair",
    "domino_set": 15,
}
TWO_LEVEL: dict[str, object] = {"columns": 9, "rows": 2, "one_die": "at_most"}
DEFAULTS: dict[str, dict[str, object]] = {
    "two-level": TWO_LEVEL,
    "double-shutter": TWO_LEVEL | {"reveal": "same_throw", "one_die_total": "showing", "score": "double_front"},
    "pub": {"one_die": "high_covered"},
    "traditional": {},
    "maker": {"one_die": "at_most"},
    "golf": {},
    "missionary": {"score": "count"},
    "2-to-go": {},
    "3-to-go": {},
    "3-down-extreme": {},
    "lucky-7": {"one_die": "never"},
    "unlucky-7": {},
    "against-all-odds": {},
    "even-stevens": {},
    "full-house": {"tiles": 12},
    "the-300": {"tiles": 24, "dice": 4, "one_die": "never"},
    "thai": {"one_die": "never"},
    "digital": {"score": "digits"},
    "2012": {"tiles": 12, "dice": 1},
    "dominoes": {"one_die": "never"},
}


@dataclass(frozen=True)
class Tile:
    """One tile: row 0 is the front, columns count from 1, both as they stand in the box."""

    name: str
    value: int
    row: int
    column: int


def tile_name(row: int, value: int) -> str:
    """Front, back, row3, row4 and so on, with the number that the tile bears."""
    return f"{['front', 'back'][row] if row < 2 else f'row{row + 1}'}-{value}"


def box_of(rows: int, columns: int) -> list[list[Tile]]:
    """Every second row is numbered the other way round, so that two neighbours add up to columns + 1."""
    values = [[c if row % 2 == 0 else columns + 1 - c for c in range(1, columns + 1)] for row in range(rows)]
    return [[Tile(tile_name(r, v), v, r, c) for c, v in enumerate(row, start=1)] for r, row in enumerate(values)]


def domino_box(size: int) -> list[list[Tile]]:
    """The 15 mixed dominoes, then the 6 doubles, then the 7 blanks; a domino is worth its pips."""
    mixed = list(combinations(range(1, 7), 2))
    pairs = mixed + [(k, k) for k in range(1, 7)] + [(0, k) for k in range(7)]
    return [[Tile(f"{a}-{b}", a + b, 0, c) for c, (a, b) in enumerate(pairs[:size], start=1)]]


def in_start_set(game: str, value: int) -> bool:
    """Whether the game begins with this number."""
    if game == "3-down-extreme":
        return value >= 4
    if game == "lucky-7":
        return value == 7
    if game == "against-all-odds":
        return value % 2 == 1
    return value % 2 == 0 if game == "even-stevens" else True


class SecondOpinion:
    """One game with its options, by name and value; an option that is not given has its default."""

    def __init__(self, game: str, options: Mapping[str, object] | None = None) -> None:
        self.game = game
        self.options = PLAIN | DEFAULTS[game] | dict(options or {})
        self.box = self._box()
        self.tiles = {tile.name: tile for row in self.box for tile in row}
        self.start = frozenset(t.name for t in self.tiles.values() if game == "dominoes" or in_start_set(game, t.value))
        self.faces = 20 if game == "2012" else 6
        self.dice = self._number("dice") or max(2, ceil(len(self.box[0]) / 6) if game != "dominoes" else 2)
        self._sets: dict[Standing, dict[int, list[Standing]]] = {}
        self._values: dict[tuple[Standing, str], dict[int, float]] = {}

    def _box(self) -> list[list[Tile]]:
        if self.game == "dominoes":
            return domino_box(self._number("domino_set") or 15)
        width = "columns" if "columns" in self.options else "tiles"
        return box_of(self._number("rows") or 1, self._number(width) or 9)

    def _number(self, option: str) -> int | None:
        value = self.options[option]
        return value if isinstance(value, int) else None

    # Boards

    def standing(self, text: str) -> Standing:
        """The board that a text describes."""
        words = [row.split() for row in text.split("/")]
        assert [len(row) for row in words] == [len(row) for row in self.box]
        pairs = [(t, w) for tiles, row in zip(self.box, words, strict=True) for t, w in zip(tiles, row, strict=True)]
        assert all(word in (".", self.mark(tile)) for tile, word in pairs)
        return frozenset(tile.name for tile, word in pairs if word != ".")

    def text(self, standing: Standing) -> str:
        """The text of a board: rows front to back, a point for a tile that is down."""
        return "/".join(" ".join(self.mark(t) if t.name in standing else "." for t in row) for row in self.box)

    def mark(self, tile: Tile) -> str:
        """What the board text calls a tile."""
        return tile.name if self.game == "dominoes" else str(tile.value)

    def boards(self) -> Iterator[Standing]:
        """Every board that obeys the stack rule: in each column, tiles are down from the front."""
        stacks = [[n for row in self.box if (n := row[c].name) in self.start] for c in range(len(self.box[0]))]
        for left in product(*([frozenset(s[k:]) for k in range(len(s) + 1)] for s in stacks)):
            yield frozenset().union(*left)

    def in_front(self, name: str) -> set[str]:
        """The tiles between this one and the player."""
        tile = self.tiles[name]
        return {row[tile.column - 1].name for row in self.box[: tile.row]}

    def showing(self, standing: Standing) -> Standing:
        """The standing tiles with nothing standing in front."""
        return frozenset(name for name in standing if not self.in_front(name) & standing)

    def values_of(self, names: Iterable[str]) -> list[int]:
        """The numbers of tiles in the order of the box."""
        chosen = set(names)
        return [tile.value for name, tile in self.tiles.items() if name in chosen]

    # Scores

    def score(self, standing: Standing) -> int:
        """What the board counts when the turn ends with it."""
        showing = self.values_of(self.showing(standing))
        match self.options["score"]:
            case "count":
                return len(showing)
            case "digits":
                return int("".join(map(str, showing)) or "0")
            case "standing":
                return sum(self.values_of(standing))
            case "double_front":
                front = {tile.name for tile in self.box[0]}
                return sum(self.values_of(standing)) + sum(self.values_of(standing & front))
        return sum(showing)

    # Dice

    def dice_allowed(self, standing: Standing) -> tuple[int, ...]:
        """The numbers of dice that may be thrown at this board, rising."""
        first_of_two = self.game in ("2-to-go", "3-to-go") and standing == self.start
        if self.dice == 1 or first_of_two or not self.one_die_permitted(standing):
            return (self.dice,)
        if self.options["one_die_forced"]:
            return (1,)
        return tuple(range(1, self.dice + 1)) if self.options["many_dice"] == "any" else (1, self.dice)

    def one_die_permitted(self, standing: Standing) -> bool:
        """Whether the tiles that one_die_total names are low enough for a single die."""
        measured = standing if self.options["one_die_total"] == "standing" else self.showing(standing)
        values = self.values_of(measured)
        match self.options["one_die"]:
            case "only1":
                return values == [1]
            case "high_covered":
                return all(value <= 6 for value in values)
            case "at_most":
                return sum(values) <= (self._number("one_die_limit") or 0)
        return False

    # Moves

    def legal_sets(self, standing: Standing, throw: Throw) -> set[Standing]:
        """Every set of tiles that this throw may shut; none of them ends the turn."""
        seven = self.game == "unlucky-7" and self.options["on_seven"] != "played"
        if seven and len(throw) == 2 and sum(throw) == 7:
            return set()
        candidates = self.sets_by_total(standing)
        if self.game == "thai":
            wanted = {*throw, sum(throw)}
            return {chosen for total in wanted for chosen in candidates[total] if len(chosen) == 1}
        return {chosen for chosen in candidates[sum(throw)] if self.fits(standing, throw, chosen)}

    def fits(self, standing: Standing, throw: Throw, chosen: Standing) -> bool:
        """The conditions of single games on a set that has the total and can be reached."""
        if self.game in ("2-to-go", "3-to-go") and standing == self.start:
            return f"front-{self.game[0]}" in chosen
        if self.game == "dominoes" and self.options["domino_match"] == "pair":
            low, high = sorted(throw)
            return chosen == {f"{low}-{high}"}
        return not (self.game == "dominoes" and self.options["domino_match"] == "one_total") or len(chosen) == 1

    def sets_by_total(self, standing: Standing) -> dict[int, list[Standing]]:
        """Every set of standing tiles that can be reached and is not too large, by its total."""
        if standing not in self._sets:
            found: dict[int, list[Standing]] = defaultdict(list)
            tiles = sorted(standing) if self.options["reveal"] == "same_throw" else sorted(self.showing(standing))
            for chosen in self.subsets(tiles, self.dice * self.faces):
                if chosen and self.reachable(standing, chosen) and len(chosen) <= self.most_tiles():
                    found[sum(self.values_of(chosen))].append(chosen)
            self._sets[standing] = found
        return self._sets[standing]

    def most_tiles(self) -> int:
        """The greatest number of tiles that one throw may shut."""
        return self._number("max_tiles") or len(self.tiles)

    def subsets(self, tiles: list[str], most: int) -> Iterator[Standing]:
        """All subsets of the tiles but those whose total no throw can have."""
        if not tiles:
            yield frozenset()
            return
        first, rest = tiles[0], tiles[1:]
        yield from self.subsets(rest, most)
        left = most - self.tiles[first].value
        if left >= 0:
            yield from (more | {first} for more in self.subsets(rest, left))

    def reachable(self, standing: Standing, chosen: Standing) -> bool:
        """What stands in front of a chosen tile is chosen too, which only same_throw allows."""
        gone = chosen if self.options["reveal"] == "same_throw" else frozenset[str]()
        return all(self.in_front(name) & standing <= gone for name in chosen)

    # Odds

    def before(self, standing: Standing, aim: str) -> tuple[float, set[int]]:
        """The value of a turn that stands at this board, and every best number of dice."""
        values = self.value_by_dice(standing, aim)
        best = (min if aim == "score" else max)(values.values())
        return best, {dice for dice, value in values.items() if is_tie(value, best)}

    def value_by_dice(self, standing: Standing, aim: str) -> dict[int, float]:
        """The expected end of the turn for each number of dice that may be thrown."""
        if not standing:
            return {0: self.outcome(standing, aim)}
        key = (standing, aim)
        if key not in self._values:
            self._values[key] = {
                dice: sum(chance * self.after(standing, throw, aim)[0] for throw, chance in throws(dice, self.faces))
                for dice in self.dice_allowed(standing)
            }
        return self._values[key]

    def after(self, standing: Standing, throw: Throw, aim: str) -> tuple[float, set[Standing]]:
        """The value of the best move for this throw, and every best move; no move ends the turn."""
        ends = self.game == "unlucky-7" and len(throw) == 2 and sum(throw) == 7
        follow = self.outcome if ends else lambda board, goal: self.before(board, goal)[0]
        values = {chosen: follow(standing - chosen, aim) for chosen in self.legal_sets(standing, throw)}
        if not values:
            return self.outcome(standing, aim), set()
        best = (min if aim == "score" else max)(values.values())
        return best, {chosen for chosen, value in values.items() if is_tie(value, best)}

    def outcome(self, standing: Standing, aim: str) -> float:
        """The worth of a turn that ended with this board."""
        if aim == "shut":
            return float(not standing)
        score = self.score(standing)
        return float(score) if aim == "score" else float(score <= int(aim.removeprefix("at-most:")))


def is_tie(value: float, best: float) -> bool:
    """Whether two values differ by rounding at most; scores of digits are large, so the bound grows with them."""
    return abs(value - best) < max(TIE, 1e-13 * abs(best))


@cache
def throws(dice: int, faces: int) -> list[tuple[Throw, float]]:
    """Every throw, its dice in rising order, with its chance."""
    counts = Counter(tuple(sorted(throw)) for throw in product(range(1, faces + 1), repeat=dice))
    return [(throw, count / prod([faces] * dice)) for throw, count in counts.items()]
