"""The dice of Fleet! and Flash!: six of a colour for each player, with five numbers and a joker on each."""

from hardware.sim.dice import COLOURS, DieLook

# Of the known ones those that are farthest from each other: orange is too near to yellow.
CLAIM_COLOURS = ("white", "red", "blue", "black", "yellow", "purple")
JOKERS = ("boat", "bolt")
JOKER_VALUE = 1  # the numbers 2 to 6 are their own
_EDGE_MM = 16.0


def claim_look(colour: str, joker: str = JOKERS[0]) -> DieLook:
    """The look of the dice of a colour, whose sixth face has this drawing. Raises `ValueError` for another colour."""
    if colour not in COLOURS:
        raise ValueError(f"there are no {colour} dice: the colours are {', '.join(COLOURS)}")
    return DieLook(_EDGE_MM, *COLOURS[colour], faces=(joker, *(f"numeral:{number}" for number in range(2, 7))))


def read_faces(written: str) -> tuple[int, ...]:
    """The values of faces written as `2,2,boat,5,6,6`; a joker may be called by either picture, or `joker`.

    Raises `ValueError` for a face that these dice do not have.
    """
    return tuple(map(_value_of, written.replace(",", " ").split()))


def _value_of(word: str) -> int:
    if word.lower() in ("joker", *JOKERS):
        return JOKER_VALUE
    if word in ("2", "3", "4", "5", "6"):
        return int(word)
    raise ValueError(f"no face {word!r}: these dice show 2 to 6 or a joker")
