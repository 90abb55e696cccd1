"""Fleet! and Flash! by searching: every joker is tried as every number, and the six numbers are looked at.

Written from S003 and RULES.md, section 3, alone; it shares nothing with the program.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, product

JOKER = 7
FACES = (2, 3, 4, 5, 6, JOKER)
NAMES = (
    *("all-twos", "all-threes", "all-fours", "all-fives", "all-sixes", "three-pairs", "pair-and-four"),
    *("two-threes", "straight", "all-jokers", "six-of-a-kind", "all-even", "all-odd"),
)
Faces = tuple[int, ...]


def throws(dice: int) -> Iterator[tuple[Faces, float]]:
    """Every throw of so many dice, ascending, and how likely it is."""
    counted = Counter(tuple(sorted(throw)) for throw in product(FACES, repeat=dice))
    return ((throw, count / 6**dice) for throw, count in counted.items())


@cache
def is_combination(throw: Faces, name: str, groups: str = "distinct", straight: str = "with_joker") -> bool:
    """Whether the throw, ascending, is the combination when its jokers are what is best for it."""
    if name == "all-jokers":
        return set(throw) == {JOKER}
    numbers = [face for face in throw if face != JOKER]
    signs = (1, 2, 3, 4, 5, 6, 7) if name == "straight" and straight == "with_joker" else (2, 3, 4, 5, 6)
    tried = combinations_with_replacement(signs, len(throw) - len(numbers))
    return any(_is(sorted([*numbers, *meant]), name, groups) for meant in tried)


def _is(six: list[int], name: str, groups: str) -> bool:
    if name == "straight":
        return six in ([1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7])
    if name == "all-even":
        return all(number % 2 == 0 for number in six)
    if name == "all-odd":
        return all(number % 2 == 1 for number in six)
    if name == "six-of-a-kind":
        return len(set(six)) == 1
    sizes = {"three-pairs": (2, 2, 2), "pair-and-four": (2, 4), "two-threes": (3, 3)}.get(name)
    if sizes is None:
        wanted = {"all-twos": 2, "all-threes": 3, "all-fours": 4, "all-fives": 5, "all-sixes": 6}[name]
        return set(six) == {wanted}
    if groups == "distinct":
        return sorted(Counter(six).values()) == sorted(sizes)
    return _splits(tuple(six), sizes)


def _splits(six: Faces, sizes: Iterable[int]) -> bool:
    """Whether groups of these sizes, each of one number, can be taken away until nothing is left."""
    size, *others = [*sizes, 0]
    if size == 0:
        return not six
    counts = Counter(six)
    return any(
        _splits(tuple((counts - Counter({number: size})).elements()), others[:-1])
        for number in counts
        if counts[number] >= size
    )


def least_throws(name: str, keeping: str, groups: str = "distinct", straight: str = "with_joker") -> dict[Faces, float]:
    """The least expected number of further throws from each set of kept dice, by iterating values until they stand."""
    kept = [faces for dice in range(6) for faces in combinations_with_replacement(FACES, dice)]
    thrown = {dice: list(throws(dice)) for dice in range(1, 7)}
    whole = [faces for faces, _ in throws(6)]
    parts = {faces: [each for each in _parts(faces) if len(each) < 6] for faces in whole}
    done = {faces: is_combination(faces, name, groups, straight) for faces in whole}
    led = {each: [(_sorted(each, new), chance) for new, chance in thrown[6 - len(each)]] for each in kept}
    if keeping == "frozen":
        # The fewest dice last, each in a loop of its own: only it leads to itself.
        values: dict[Faces, float] = {}
        for each in reversed(kept):
            ends = [(0.0 if done[six] else _least(values, parts[six], each), chance) for six, chance in led[each]]
            values[each] = _settle(ends)
        return values
    values = dict.fromkeys(kept, 0.0)
    while True:
        least = {six: 0.0 if done[six] else min(values[part] for part in parts[six]) for six in whole}
        after = {each: 1 + sum(chance * least[six] for six, chance in led[each]) for each in kept}
        if max(abs(after[each] - values[each]) for each in kept) < 1e-13:
            return after
        values = after


def _settle(ends: list[tuple[float, float]]) -> float:
    if min(end for end, _ in ends) == float("inf"):
        return float("inf")
    value, before = 1.0, 0.0
    while value - before > 1e-15 * value:
        before, value = value, 1 + sum(chance * min(end, value) for end, chance in ends)
    return value


def _least(values: dict[Faces, float], parts: Iterable[Faces], kept: Faces) -> float:
    """The least value of the parts that hold all of `kept` and more."""
    more = (part for part in parts if len(part) > len(kept) and not Counter(kept) - Counter(part))
    return min((values[part] for part in more), default=float("inf"))


@cache
def _parts(faces: Faces) -> set[Faces]:
    return {part for dice in range(len(faces) + 1) for part in combinations(faces, dice)}


def _sorted(kept: Faces, thrown: Faces) -> Faces:
    return tuple(sorted(kept + thrown))
