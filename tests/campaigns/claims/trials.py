"""Campaign `claims`: claims are laid, read and judged; is each granted that is one, and no other?"""

from functools import cache

from controller.rules.fleet.dice import ClaimFault, sort_claim
from controller.runtime.output import Exit
from hardware.box import load_box
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.claims.drawing import GRANTED, NOT_IT, DrawnClaim, draw_claim
from tests.campaigns.claims.report import Answer, ClaimsReport
from tests.campaigns.claims.simulated_claims import SimulatedClaims
from tests.campaigns.pool import silence
from tools.evaluation.timing import keep_to_one_core
from vision.reading import Reading

_IN_PLACE = 16  # claims: see `Campaign.in_place`
_CHUNK = 4


def bench_claims(claims: int, seed: int, *, as_json: bool) -> Exit:
    """Lay so many claims; NO if one was granted that is none, or too few were answered as they must be."""
    seeds = range(seed, seed + claims)
    campaign = Campaign("claims", seeds, try_claim, in_place=_IN_PLACE, chunk=_CHUNK, begin=_begin)
    results = campaign.run()
    answers = [answer for outcome in results.outcomes for answer in outcome]
    return print_report(ClaimsReport(answers), results, as_json=as_json)


def try_claim(seed: int) -> tuple[Answer, ...]:
    """Lay the claim of this seed, read one picture of it, and answer everybody who claims."""
    drawn = draw_claim(seed, _claims("boat").dice.colours)
    claims = _claims(drawn.rules.card.joker)
    reading = claims.read(drawn.order)
    return tuple(
        Answer(seed, drawn.kind, _answer(drawn, claims, reading, each.colour), each.right, each.is_true)
        for each in drawn.claimed
    )


def _answer(drawn: DrawnClaim, claims: SimulatedClaims, reading: Reading, colour: str) -> str:
    if reading.reason is not None:
        return reading.reason.value
    claimed = sort_claim(claims.dice.laid(reading), colour, drawn.players)
    if isinstance(claimed, ClaimFault):
        return claimed.kind
    return GRANTED if drawn.rules.has(claimed, drawn.combination) else NOT_IT


@cache
def _claims(joker: str) -> SimulatedClaims:
    return SimulatedClaims(load_box("two-level-9"), joker)


def _begin() -> None:
    silence()
    keep_to_one_core()
