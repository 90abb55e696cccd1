"""The rarity of a throw."""

from collections import Counter
from collections.abc import Sequence
from math import factorial, prod


def one_in(dice: Sequence[int], sides: int) -> int:
    """Return n where one in n throws of these dice shows these faces, in any order; rounded.

    Two sixes are 1 in 36; a six and a four, which two dice can show in two ways, 1 in 18.
    """
    ways = factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))
    return round(int(sides ** len(dice)) / ways)
