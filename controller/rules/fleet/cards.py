"""The two score sheets, each a game: its combinations in order, the picture on the joker, and its options."""

from dataclasses import dataclass
from typing import Literal

from controller.rules.options import Choice


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """The readings of combinations and of keeping dice: RULES.md, section 3.

    groups: whether two groups of a combination may have the same number (six 4s are then three pairs).
    straight: five numbers and six dice. `with_joker`: the sixth is a joker, for a 1 or a 7 that no die has;
        `impossible`: jokers stand for 2 to 6, so six different numbers cannot lie.
    even_odd_jokers: whether a joker is even for All Even and odd for All Odd.
    six_jokers: whether six jokers are every combination, also All Even and All Odd, or All Boats alone.
    keeping: whether a kept die stays for the round, or may be thrown again (S003: "In still another variation").
    """

    groups: Literal["distinct", "may_repeat"] = "distinct"
    straight: Literal["with_joker", "impossible"] = "with_joker"
    even_odd_jokers: bool = True
    six_jokers: bool = True
    keeping: Literal["frozen", "unfrozen"] = "frozen"


@dataclass(frozen=True, slots=True)
class FleetTerms:
    """The agreements of the players on how rounds are raced and paid.

    challenge: who names the combination of a round. `announced`: each player names their own before it (base).
        `unannounced`: any remaining one, named with the shout. `in_turn`: one player names for all.
        `in_order`: the sheet decides for all.
    namer: with `in_turn`, who names: in rotation, or the winner of the previous round.
    first: with `in_turn`, who names first: the highest or lowest throw, or the earliest seat.
    timer: the seconds that the last player has once all others have shouted; 0: none, and the lowest chip.
    chips: the worth of the chips, from the first tile on.
    few_chips: which chips fewer than six players play for.
    equal_shouts: correct shouts at the same time: the earlier counts, the chip is shared, or both throw again.
    wrong_shout: whether a player who shouts wrongly plays on, or takes no chip in this round.
    unfinished: whether the combination of a player who did not finish is used up, or can be named again.
    stake: the coins that each player pays into the pool, which the winner takes.
    odd_coin: who gets the coins that cannot be divided evenly.
    undo: whether a chip may be put back until the next shout or GO.
    hints: whether the box tells odds.
    """

    challenge: Literal["announced", "unannounced", "in_turn", "in_order"] = "announced"
    namer: Literal["rotation", "winner"] = "rotation"
    first: Literal["highest", "lowest", "chosen"] = "highest"
    timer: int = 0
    chips: Literal["1-2-3-4-5-6", "1-3-8-15-25-40", "1-5-10-20-50-100"] = "1-2-3-4-5-6"
    few_chips: Literal["lowest", "highest"] = "lowest"
    equal_shouts: Literal["earlier", "share", "again"] = "earlier"
    wrong_shout: Literal["play_on", "no_chip"] = "play_on"
    unfinished: Literal["used_up", "open"] = "used_up"
    stake: int = 0
    odd_coin: Literal["earliest_seat", "latest_seat"] = "earliest_seat"
    undo: Literal["anybody", "nobody"] = "anybody"
    hints: Literal["always", "never"] = "always"

    @property
    def same_for_all(self) -> bool:
        """True if all players race for the same combination."""
        return self.challenge in ("in_turn", "in_order")

    def worths(self, players: int) -> tuple[int, ...]:
        """Return the worth of the chips for this number of players, in ascending order."""
        worths = tuple(map(int, self.chips.split("-")))
        return worths[:players] if self.few_chips == "lowest" else worths[-players:]


CHOICES = (
    Choice("groups", "distinct", ("distinct", "may_repeat"), "whether two groups may be of one number"),
    Choice("straight", "with_joker", ("with_joker", "impossible"), "whether a joker makes five numbers a straight"),
    Choice("even_odd_jokers", True, (True, False), "whether a joker is even for All Even and odd for All Odd"),
    Choice("six_jokers", True, (True, False), "whether six jokers are other combinations than six jokers, too"),
    Choice("keeping", "frozen", ("frozen", "unfrozen"), "whether a kept die stays, or may be thrown again"),
    Choice(
        "challenge",
        "announced",
        ("announced", "unannounced", "in_turn", "in_order"),
        "who says what a round is for: each for himself, each with his shout, one for all in turn, or the sheet",
    ),
    Choice("namer", "rotation", ("rotation", "winner"), "who names for all: each in turn, or who won the last round"),
    Choice("first", "highest", ("highest", "lowest", "chosen"), "whose throw names first for all"),
    Choice("timer", 0, (0, 5, 10, 15, 20, 30, 45, 60, 90, 120), "seconds for the last player; 0 is none"),
    Choice(
        "chips",
        "1-2-3-4-5-6",
        ("1-2-3-4-5-6", "1-3-8-15-25-40", "1-5-10-20-50-100"),
        "what the chips are worth, from the first tile on",
    ),
    Choice("few_chips", "lowest", ("lowest", "highest"), "which chips fewer than six players play for"),
    Choice("equal_shouts", "earlier", ("earlier", "share", "again"), "what becomes of shouts at the same time"),
    Choice("wrong_shout", "play_on", ("play_on", "no_chip"), "what a wrong shout costs"),
    Choice("unfinished", "used_up", ("used_up", "open"), "whether what was not finished is used up"),
    Choice("stake", 0, tuple(range(101)), "coins each player pays into the pool"),
    Choice("odd_coin", "earliest_seat", ("earliest_seat", "latest_seat"), "who gets what does not divide"),
    Choice("undo", "anybody", ("anybody", "nobody"), "who may put a chip back before the next shout or GO"),
    Choice("hints", "always", ("always", "never"), "when odds are told: always, never"),
)


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
