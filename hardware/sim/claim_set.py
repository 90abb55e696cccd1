"""The dice of Fleet! and Flash!: for each player six of one colour, with five numbers and a joker on each."""

from hardware.sim.dice import COLOURS, DieLook

# For Fleet! and Flash! each player has six dice of one colour, with five numbers and a joker on each. These are the
# most distinct of the known colours: orange is too close to yellow.
CLAIM_COLOURS = ("white", "red", "blue", "black", "yellow", "purple")
JOKERS = ("boat", "bolt")
JOKER_VALUE = 1  # numbers 2 to 6 have their own values
_EDGE_MM = 16.0


def claim_look(colour: str, joker: str = JOKERS[0]) -> DieLook:
    """Return the look of the dice of a colour, with `joker` drawn on the sixth face. Raises `ValueError`."""
    if colour not in COLOURS:
        raise ValueError(f"there are no {colour} dice: the colours are {', '.join(COLOURS)}")
    return DieLook(_EDGE_MM, *COLOURS[colour], faces=(joker, *(f"numeral:{number}" for number in range(2, 7))))


def read_faces(written: str) -> tuple[int, ...]:
    """Return the values of faces written as `2,2,boat,5,6,6`; a joker may be written as either picture, or `joker`.

    Raises `ValueError` for a face that these dice do not have.
    """
    values = []
    for word in written.replace(",", " ").split():
        if word.lower() in ("joker", *JOKERS):
            values.append(JOKER_VALUE)
        elif word in ("2", "3", "4", "5", "6"):
            values.append(int(word))
        else:
            raise ValueError(f"no face {word!r}: these dice show 2 to 6 or a joker")
    return tuple(values)
