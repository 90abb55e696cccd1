"""The thirteen combinations of the two cards (S003, FIG. 4 and the alternative embodiment): groups of equal dice."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

from controller.rules.fleet.faces import NUMBERS

# How many dice a combination wants of each of NUMBERS, shape (5,). What is left of six is for jokers alone.
Pattern = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """Groups of dice, each of one number: `sizes` dice of any of `numbers`.

    name: as it is asked for. title: as the sheet has it; `{jokers}` is the picture of the joker. repeats: whether two
    groups may be of one number; None where it is the players' choice. by_parity: numbers count as even or odd here.
    """

    name: str
    title: str
    sizes: tuple[int, ...]
    numbers: tuple[int, ...] = NUMBERS
    repeats: bool | None = False
    by_parity: bool = False

    def patterns(self, *, repeats: bool) -> tuple[Pattern, ...]:
        """Every way to choose the numbers of its groups, each once. repeats: what the players chose, where they may."""
        may = repeats if self.repeats is None else self.repeats
        count = len(self.sizes)
        chosen = product(self.numbers, repeat=count) if may else permutations(self.numbers, count)
        return tuple(dict.fromkeys(map(self._pattern, chosen)))

    def _pattern(self, chosen: tuple[int, ...]) -> Pattern:
        wanted = Counter[int]()
        for number, size in zip(chosen, self.sizes, strict=True):
            wanted[number] += size
        return tuple(wanted[number] for number in NUMBERS)


def _all() -> Iterator[Combination]:
    # "'All Twos' (meaning that six 2s must be rolled to achieve the combination)"
    for number, name in zip(NUMBERS, ("twos", "threes", "fours", "fives", "sixes"), strict=True):
        yield Combination(f"all-{name}", f"All {name.title()}", (6,), (number,))
    yield Combination("three-pairs", "Three Pairs", (2, 2, 2), repeats=None)
    yield Combination("pair-and-four", "One Pair and One Four-of-a-Kind", (2, 4), repeats=None)
    yield Combination("two-threes", "Two Three-of-a-Kind", (3, 3), repeats=None)
    # Five numbers, six dice: the sixth is a joker (RULES.md, section 3, first ambiguity).
    yield Combination("straight", "Straight", (1, 1, 1, 1, 1))
    # No number is wanted: six places for jokers.
    yield Combination("all-jokers", "All {jokers}", ())
    yield Combination("six-of-a-kind", "Six of a Kind", (6,))
    yield Combination("all-even", "All Even", (1,) * 6, (2, 4, 6), repeats=True, by_parity=True)
    yield Combination("all-odd", "All Odd", (1,) * 6, (3, 5), repeats=True, by_parity=True)


COMBINATIONS = {combination.name: combination for combination in _all()}
