"""Claims are drawn as they are called: right, or wrong in one way."""

from functools import cache

import pytest

from controller.rules.fleet.dice import JOKER, ClaimFault, Dice, LaidDie, sort_claim
from tests.campaigns.claims.drawing import GRANTED, KINDS, NOT_IT, DrawnClaim, Kind, draw_claim
from tests.support.together import together

COLOURS = ("white", "red", "blue", "black", "yellow", "purple")


@cache
def drawn_claims() -> list[DrawnClaim]:
    return [draw_claim(seed, COLOURS) for seed in range(400)]


def answers(drawn: DrawnClaim) -> list[str]:
    """How each claim is answered by who sees every die as it is."""
    laid = [LaidDie(colour, face) for colour, faces in drawn.order.laid for face in faces]
    told: list[str] = []
    for each in drawn.claimed:
        claimed = sort_claim(laid, each.colour, drawn.players)
        if isinstance(claimed, ClaimFault):
            told.append(claimed.kind)
        else:
            told.append(GRANTED if drawn.rules.has(claimed, drawn.combination) else NOT_IT)
    return told


def of(kind: Kind) -> list[DrawnClaim]:
    return [drawn for drawn in drawn_claims() if drawn.kind == kind]


@together("kind", KINDS)
def test_every_kind_is_drawn(kind: Kind) -> None:
    assert len(of(kind)) > 10


def test_dice_that_nothing_disturbs_have_the_right_answer() -> None:
    for drawn in drawn_claims():
        if drawn.order.disturbance is None:
            assert all(told in each.right for told, each in zip(answers(drawn), drawn.claimed, strict=True))


@pytest.mark.parametrize("kind", ["stranger", "hidden", "leaning", "over_edge"])
def test_what_is_disturbed_would_else_be_granted_or_be_seven(kind: Kind) -> None:
    for drawn in of(kind):
        if drawn.order.disturbance is not None:
            assert answers(drawn)[0] in (GRANTED, "too_many")
            assert GRANTED not in drawn.claimed[0].right


def test_what_is_hidden_is_a_joker() -> None:
    assert all(drawn.order.laid[0][1][0] == JOKER for drawn in of("hidden"))


def test_two_claims_are_two_players() -> None:
    for drawn in of("two"):
        assert [colour for colour, _ in drawn.order.laid] == list(drawn.players[:2])
        assert all(len(Dice(faces)) == 6 for _, faces in drawn.order.laid)
