"""The dominoes of the game of US patent 6,942,218, as far as S000 describes it, in their order."""

Pips = tuple[int, int]

_MIXED = tuple((low, high) for low in range(1, 6) for high in range(low + 1, 7))
_DOUBLES = tuple((pips, pips) for pips in range(1, 7))
_BLANKS = tuple((0, pips) for pips in range(7))

# The dominoes of US patent 6,942,218, as far as S000 describes them: 15 mixed ones, then 6 doubles (21), then 7 with a
# blank (28).
DOMINOES: tuple[Pips, ...] = _MIXED + _DOUBLES + _BLANKS


def name_of(pips: Pips) -> str:
    """Return the name and mark of a domino, such as `2-5`."""
    return f"{pips[0]}-{pips[1]}"


def pips_named(name: str) -> Pips | None:
    """Return the pips of the domino with this name, or None if no domino has it."""
    return next((pips for pips in DOMINOES if name_of(pips) == name), None)


def pair_key(pips: Pips) -> int | None:
    """Return one number for each pair that two dice can show: 25 for a 2 and a 5; None if one half is blank."""
    low, high = sorted(pips)
    return 10 * low + high if low else None
