"""Everything that a race says to its players, as it happens in short stories."""

from collections.abc import Iterator

from controller.game.core.commands import Command, ConfirmTiles, Undo
from controller.game.core.message import Message
from controller.game.fleet.commands import CallGo, Claim, CountDown, EndRound, NameCombination, PassSecond, Shout
from controller.game.fleet.commands import WithdrawShout as Withdraw
from controller.game.fleet.messages import describe_claim_fault, describe_several_sets, describe_thrown_anew
from controller.game.fleet.state import Race
from controller.game.table.engines import decide, describe_moment, news_of
from controller.rules.fleet.dice import ClaimFault
from tests.support.race_stories import NOTHING, STRAIGHT, race, race_of, racing, ready, taken

_FAULTS = (
    ClaimFault("not_laid", (("red", 0),)),
    ClaimFault("too_few", (("red", 1),)),
    ClaimFault("too_few", (("red", 5),)),
    ClaimFault("too_many", (("red", 7),)),
    ClaimFault("mixed", (("red", 5), ("blue", 1))),
    ClaimFault("mixed", (("red", 4), ("blue", 2))),
    ClaimFault("stranger", (("green", 1),)),
)


def said_in_races() -> Iterator[Message]:
    """Races from their start to their end, and what the camera says of dice that are no claim."""
    yield from _said_before_a_round()
    yield from _said_in_a_round()
    yield from _said_of_equal_shouts()
    yield from _said_at_the_end_of_a_round()
    yield from describe_thrown_anew(racing(3), ())
    yield from describe_thrown_anew(racing(3), ("Bob", "Cleo"))
    yield from (describe_claim_fault(fault, "Ann") for fault in _FAULTS)
    yield describe_several_sets()


def _heard(before: Race, *commands: Command) -> Iterator[Message]:
    """All that is said while the commands are done: each moment, and the news between them."""
    yield describe_moment(before)
    for command in commands:
        events, after = decide(before, command), race(before, command)
        yield from news_of(before, events, after)
        yield describe_moment(after)
        before = after


def _said_before_a_round() -> Iterator[Message]:
    level = (Claim((6, 6, 6, 6, 6, 6), "Ann"), Claim((6, 6, 6, 6, 6, 6), "Bob"))
    told = (Claim((2, 2, 2, 2, 2, 2), "Ann"), Claim((6, 6, 6, 6, 6, 6), "Bob"))
    all_boats = NameCombination("all-jokers", "Bob")
    yield from _heard(race_of(2, challenge="in_turn"), *level, *told, all_boats, CallGo(), CountDown())
    yield from _heard(race_of(2, challenge="in_turn", first="lowest"))
    yield from _heard(race_of(2), NameCombination("straight", "Ann"), NameCombination("three-pairs", "Bob"))
    yield from _heard(ready(2, "flash", challenge="in_order"))
    yield from _heard(ready(2), CallGo(), CountDown())


def _said_in_a_round() -> Iterator[Message]:
    ann, bob = Shout(player="Ann"), Shout(player="Bob")
    yield from _heard(racing(3), ann, Withdraw("Ann"), ann, Claim(NOTHING, "Ann"), ann, Claim(STRAIGHT, "Ann"), Undo())
    yield from _heard(racing(3, wrong_shout="no_chip"), bob, Claim(NOTHING, "Bob"))
    yield from _heard(racing(2), Shout(), Withdraw(), Shout(), Claim(STRAIGHT, "Bob"), ConfirmTiles())
    yield from _heard(racing(2, challenge="unannounced"), Shout("all-twos", "Ann"), Claim(NOTHING, "Ann"))
    yield from _heard(race_of(2, "flash", challenge="in_order"), CallGo(), CountDown(), ann, Claim(NOTHING, "Ann"))


def _said_of_equal_shouts() -> Iterator[Message]:
    at_once = (Shout(player="Ann", at_ms=10), Shout(player="Bob", at_ms=40))
    claims = (Claim(STRAIGHT, "Ann"), Claim(STRAIGHT, "Bob"))
    for terms in ("share", "again"):
        yield from _heard(racing(3, equal_shouts=terms), *at_once, *claims)


def _said_at_the_end_of_a_round() -> Iterator[Message]:
    yield from _heard(taken(racing(2, timer=5), "Ann"), *(PassSecond() for _ in range(5)))
    yield from _heard(taken(racing(3), "Ann"), EndRound())
    yield from _heard(taken(racing(4), "Ann"), EndRound())
