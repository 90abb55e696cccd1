"""The two score sheets, each a game: its combinations in order, the picture on the joker, and its options."""

from dataclasses import dataclass

from controller.rules.fleet.options import CHOICES
from controller.rules.options import Choice


@dataclass(frozen=True, slots=True)
class Card:
    """One score sheet: a game with its `name`, source document and summary.

    joker: the name of the picture on the sixth face.
    combinations: the names of its rounds, in the order of the sheet.
    """

    name: str
    document: str
    summary: str
    joker: str
    combinations: tuple[str, ...]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Its options, which are the same for both games, in the order in which they are listed."""
        return CHOICES


_ALL = (
    # S003, FIG. 4
    Card(
        "fleet",
        "S003",
        "A race with six dice and boats for jokers; ten combinations.",
        "boat",
        (
            "all-twos",
            "three-pairs",
            "all-threes",
            "pair-and-four",
            "all-fours",
            "two-threes",
            "all-fives",
            "straight",
            "all-sixes",
            "all-jokers",
        ),
    ),
    # S003, "In an alternative embodiment of the game"; in the order of the game as sold (RULES.md, section 3)
    Card(
        "flash",
        "S003",
        "A race with six dice and bolts for jokers; eight combinations.",
        "bolt",
        (
            "six-of-a-kind",
            "three-pairs",
            "all-even",
            "pair-and-four",
            "all-odd",
            "two-threes",
            "straight",
            "all-jokers",
        ),
    ),
)

CARDS = {card.name: card for card in _ALL}
