"""The six faces of a die: five numbers and the joker (S003, "DETAILED DESCRIPTION", FIG. 2)."""

Face = int

NUMBERS: tuple[Face, ...] = (2, 3, 4, 5, 6)

# Past every number, so that jokers come last in a throw. No rule counts with it.
JOKER: Face = 7

FACES = (*NUMBERS, JOKER)

# What the joker is called in a question or an answer, whatever is drawn on it.
JOKER_NAME = "joker"
