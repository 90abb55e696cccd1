"""The readings of what S003 leaves open about combinations, and whether kept dice are frozen: RULES.md, section 3."""

from dataclasses import dataclass
from typing import Literal

from controller.rules.game_options import Choice


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """The readings that a game is played with.

    groups: whether two groups of a combination may be of one number (six 4s are then three pairs).
    straight: five numbers and six dice. `with_joker`: a joker is the sixth, for a 1 or a 7 that no die bears;
    `impossible`: jokers are 2 to 6, so six different numbers cannot lie.
    even_odd_jokers: whether a joker is even for All Even and odd for All Odd.
    six_jokers: whether six jokers are any combination that there is, All Even and All Odd too, or All Boats alone.
    keeping: whether a kept die stays for the round, or may be thrown again (S003: "In still another variation").
    """

    groups: Literal["distinct", "may_repeat"] = "distinct"
    straight: Literal["with_joker", "impossible"] = "with_joker"
    even_odd_jokers: bool = True
    six_jokers: bool = True
    keeping: Literal["frozen", "unfrozen"] = "frozen"


CHOICES = (
    Choice("groups", "distinct", ("distinct", "may_repeat"), "whether two groups may be of one number"),
    Choice("straight", "with_joker", ("with_joker", "impossible"), "whether a joker makes five numbers a straight"),
    Choice("even_odd_jokers", True, (True, False), "whether a joker is even for All Even and odd for All Odd"),
    Choice("six_jokers", True, (True, False), "whether six jokers are other combinations than six jokers, too"),
    Choice("keeping", "frozen", ("frozen", "unfrozen"), "whether a kept die stays, or may be thrown again"),
)
