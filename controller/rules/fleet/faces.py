"""The six faces of a die: five numbers and the joker (S003, "DETAILED DESCRIPTION", FIG. 2)."""

Face = int

# The six faces of a die: five numbers and the joker (S003, "DETAILED DESCRIPTION", FIG. 2).
NUMBERS: tuple[Face, ...] = (2, 3, 4, 5, 6)

# Greater than every number, so that jokers come last in a throw. No rule calculates with it.
JOKER: Face = 7

FACES = (*NUMBERS, JOKER)

# The name of the joker in questions and answers, whatever is drawn on it.
JOKER_NAME = "joker"
