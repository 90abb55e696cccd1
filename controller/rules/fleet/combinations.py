"""The thirteen combinations of the two cards (S003, FIG. 4 and the alternative embodiment): groups of equal dice."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from controller.rules.fleet.dice import JOKER, NUMBERS, SET_SIZE, Dice, Face

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


_MOST_WAYS = 4  # a player does not want to hear more ways to go on
_COUNTS = ("no", "one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A throw of six dice that is not the combination.

    groups: those of its dice that are a complete group already.
    rest: its other dice.
    missing: each selection of dice that would complete it, all equally many; empty if no dice can.
    idle: the number of its jokers that stand for nothing by the agreed rules.
    joker: the picture of the joker.
    """

    combination: Combination
    groups: tuple[Dice, ...]
    rest: Dice
    missing: tuple[Dice, ...]
    idle: int
    joker: str

    def tell(self) -> str:
        """Return one line: `two three-of-a-kind: 2 2 2 and boat 5 6; one 5 or 6 is missing`."""
        title = self.combination.title.format(jokers=f"{self.joker}s").lower()
        dice = " and ".join(part.tell(self.joker) for part in (*self.groups, self.rest) if len(part))
        but = f", for {self.joker}s do not count here" if self.idle else ""
        return f"{title}: {dice}; {self._tell_missing()}{but}"

    def _tell_missing(self) -> str:
        if not self.missing:
            return "by the rules agreed no dice make one"
        count = len(self.missing[0])
        verb = "is" if count == 1 else "are"
        if self.combination.by_parity:
            parity = "odd" if self.combination.numbers[0] % 2 else "even"
            return f"{_count(count, f'{parity} number')} {verb} missing"
        if count == 1:
            return f"one {_join_or(self._name(dice.faces[0]) for dice in self.missing)} is missing"
        ways = [
            " and ".join(_count(dice.faces.count(face), self._name(face)) for face in dict.fromkeys(dice.faces))
            for dice in self.missing
        ]
        if len(ways) == 1 or (len(ways) <= _MOST_WAYS and all(len(set(dice.faces)) == 1 for dice in self.missing)):
            return f"{_join_or(ways)} {verb} missing"
        return f"{_COUNTS[count]} dice do not fit"

    def _name(self, face: Face) -> str:
        return self.joker if face == JOKER else str(face)


def serving(dice: Dice, pattern: Pattern) -> int:
    """Return how many of the numbers that lie there a pattern needs; jokers not counted."""
    return sum(map(min, dice.numbers, pattern))


def shortfall_of(dice: Dice, wild: int, combination: Combination, patterns: Sequence[Pattern], joker: str) -> Shortfall:
    """Return what six dice lack that fit none of the patterns of a combination. wild: jokers that may stand in."""
    served = [serving(dice, pattern) for pattern in patterns]
    nearest = [pattern for pattern, count in zip(patterns, served, strict=True) if count == max(served)]
    groups: tuple[Dice, ...] = ()
    if len(combination.sizes) > 1 < max(combination.sizes):
        # The groups that are complete in every one of the nearest patterns.
        each_needs = zip(NUMBERS, dice.numbers, zip(*nearest, strict=True), strict=True)
        groups = tuple(
            Dice((number,) * needed[0])
            for number, count, needed in each_needs
            if len(set(needed)) == 1 and 0 < needed[0] <= count
        )
    missing = {way for pattern in nearest for way in _missing(dice, wild, pattern)}
    rest = dice - sum(groups, Dice())
    return Shortfall(combination, groups, rest, tuple(sorted(missing)), dice.jokers - wild, joker)


def _missing(dice: Dice, wild: int, pattern: Pattern) -> Iterable[Dice]:
    """Return every selection of dice that completes a pattern, where jokers stand for the rest."""
    for_jokers = SET_SIZE - sum(pattern)  # places that no number fills
    placed = min(wild, for_jokers)
    lacking = Dice.of_counts([*(max(0, want - have) for want, have in zip(pattern, dice.numbers, strict=True)), 0])
    count = len(lacking) - (wild - placed)
    jokers = Dice((JOKER,) * (for_jokers - placed))
    return (part + jokers for part in lacking.parts if len(part) == count)


def _count(number: int, noun: str) -> str:
    return f"{_COUNTS[number]} {noun}{'' if number == 1 else 's'}"


def _join_or(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
