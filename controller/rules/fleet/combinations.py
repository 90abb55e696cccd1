"""The thirteen combinations of the two cards (S003, FIG. 4 and the alternative embodiment): groups of equal dice."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from controller.rules.fleet.dice import JOKER, NUMBERS, SET_SIZE, Dice

# The number of dice that a combination needs of each of NUMBERS, shape (5,). The rest of the six must be jokers.
Pattern = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Combination:
    """Groups of dice, each of one number: `sizes` dice of any of `numbers`.

    name: its name in questions and answers.
    title: its name on the sheet; `{jokers}` is the picture of the joker.
    repeats: whether two groups may have the same number; None: the players choose.
    by_parity: only whether a number is even or odd counts.
    """

    name: str
    title: str
    sizes: tuple[int, ...]
    numbers: tuple[int, ...] = NUMBERS
    repeats: bool | None = False
    by_parity: bool = False

    def patterns(self, *, repeats: bool) -> tuple[Pattern, ...]:
        """Return every way to choose the numbers of its groups, each once. repeats: the players' choice."""
        may = repeats if self.repeats is None else self.repeats
        count = len(self.sizes)
        chosen = product(self.numbers, repeat=count) if may else permutations(self.numbers, count)
        found = dict[Pattern, None]()
        for numbers in chosen:
            needed = Counter[int]()
            for number, size in zip(numbers, self.sizes, strict=True):
                needed[number] += size
            found[tuple(needed[number] for number in NUMBERS)] = None
        return tuple(found)


COMBINATIONS = {
    combination.name: combination
    for combination in (
        # "'All Twos' (meaning that six 2s must be rolled to achieve the combination)"
        Combination("all-twos", "All Twos", (6,), (2,)),
        Combination("all-threes", "All Threes", (6,), (3,)),
        Combination("all-fours", "All Fours", (6,), (4,)),
        Combination("all-fives", "All Fives", (6,), (5,)),
        Combination("all-sixes", "All Sixes", (6,), (6,)),
        Combination("three-pairs", "Three Pairs", (2, 2, 2), repeats=None),
        Combination("pair-and-four", "One Pair and One Four-of-a-Kind", (2, 4), repeats=None),
        Combination("two-threes", "Two Three-of-a-Kind", (3, 3), repeats=None),
        # Five numbers, six dice: the sixth is a joker (RULES.md, section 3, first ambiguity).
        Combination("straight", "Straight", (1, 1, 1, 1, 1)),
        # No number is needed: six places for jokers.
        Combination("all-jokers", "All {jokers}", ()),
        Combination("six-of-a-kind", "Six of a Kind", (6,)),
        Combination("all-even", "All Even", (1,) * 6, (2, 4, 6), repeats=True, by_parity=True),
        Combination("all-odd", "All Odd", (1,) * 6, (3, 5), repeats=True, by_parity=True),
    )
}


def serving(dice: Dice, pattern: Pattern) -> int:
    """Return how many of the numbers that lie there a pattern needs; jokers not counted."""
    return sum(map(min, dice.numbers, pattern))


def missing_dice(dice: Dice, wild: int, patterns: Sequence[Pattern]) -> tuple[Dice, ...]:
    """Return each selection of dice that six dice lack to fit one of the patterns, all equally many.

    wild: jokers that may stand in.
    """
    served = [serving(dice, pattern) for pattern in patterns]
    nearest = [pattern for pattern, count in zip(patterns, served, strict=True) if count == max(served)]
    return tuple(sorted({way for pattern in nearest for way in _missing(dice, wild, pattern)}))


def _missing(dice: Dice, wild: int, pattern: Pattern) -> Iterable[Dice]:
    """Return every selection of dice that completes a pattern, where jokers stand for the rest."""
    for_jokers = SET_SIZE - sum(pattern)  # places that no number fills
    placed = min(wild, for_jokers)
    lacking = Dice.of_counts([*(max(0, want - have) for want, have in zip(pattern, dice.numbers, strict=True)), 0])
    count = len(lacking) - (wild - placed)
    jokers = Dice((JOKER,) * (for_jokers - placed))
    return (part + jokers for part in lacking.parts if len(part) == count)
