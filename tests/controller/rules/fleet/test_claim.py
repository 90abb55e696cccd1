"""Whose dice lie on the baize: six of one colour are claimed, and whatever else lies there has its own reason."""

from itertools import product

import pytest

from controller.rules.fleet.dice import FACES, JOKER, SET_SIZE, ClaimFault, Dice, LaidDie, sort_claim
from tests.support.together import together

COLOURS = ("red", "blue", "white")


def laid(**counts: int) -> tuple[LaidDie, ...]:
    """So many dice of each colour, showing 2, 3, 4, 5, 6, joker, 2 and so on."""
    return tuple(LaidDie(colour, FACES[index % 6]) for colour, count in counts.items() for index in range(count))


def test_six_dice_of_the_claimant_are_his_throw() -> None:
    assert sort_claim(laid(red=6), "red", COLOURS) == Dice((2, 3, 4, 5, 6, JOKER))


def test_another_players_six_lie_beside_a_claim() -> None:
    both = (*(LaidDie("blue", 5) for _ in range(6)), *laid(red=6))
    assert sort_claim(both, "red", COLOURS) == Dice((2, 3, 4, 5, 6, JOKER))
    assert sort_claim(both, "blue", COLOURS) == Dice((5,) * 6)


@together(
    ("counts", "kind", "told"),
    [
        ({}, "not_laid", (("red", 0),)),
        ({"blue": 6}, "not_laid", (("red", 0),)),
        ({"blue": 2}, "not_laid", (("red", 0),)),
        ({"red": 5}, "too_few", (("red", 5),)),
        ({"red": 5, "blue": 6}, "too_few", (("red", 5),)),
        ({"red": 7}, "too_many", (("red", 7),)),
        ({"red": 7, "blue": 1}, "too_many", (("red", 7),)),
        ({"red": 5, "blue": 1}, "mixed", (("red", 5), ("blue", 1))),
        ({"red": 6, "blue": 1}, "mixed", (("red", 6), ("blue", 1))),
        ({"red": 6, "blue": 5}, "mixed", (("red", 6), ("blue", 5))),
        ({"red": 6, "blue": 7}, "mixed", (("red", 6), ("blue", 7))),
        ({"white": 1, "red": 4, "blue": 1}, "mixed", (("red", 4), ("blue", 1), ("white", 1))),
        ({"green": 1, "red": 6}, "stranger", (("green", 1),)),
        ({"red": 5, "green": 1}, "stranger", (("green", 1),)),
        ({"green": 6}, "stranger", (("green", 6),)),
        ({"red": 7, "blue": 1, "green": 2, "pink": 1}, "stranger", (("green", 2), ("pink", 1))),
    ],
)
def test_what_is_no_claim_has_its_reason(counts: dict[str, int], kind: str, told: tuple[tuple[str, int], ...]) -> None:
    fault = sort_claim(laid(**counts), "red", COLOURS)
    assert isinstance(fault, ClaimFault)
    assert (fault.kind, fault.counts) == (kind, told)
    assert fault.colours == tuple(colour for colour, _ in told)


def test_nobody_claims_for_a_colour_that_does_not_play() -> None:
    with pytest.raises(ValueError, match="nobody plays with green: the colours are red, blue, white"):
        sort_claim(laid(red=6), "green", COLOURS)


def test_a_claim_is_six_of_its_colour_and_sixes_beside_it() -> None:
    for red, blue, white, green in product(range(9), range(9), (0, 1, 6), (0, 1)):
        dice = laid(red=red, blue=blue, white=white, green=green)
        claimed = sort_claim(dice, "red", COLOURS)
        right = red == SET_SIZE and blue in (0, SET_SIZE) and white in (0, SET_SIZE) and not green
        assert isinstance(claimed, Dice) == right
        assert sort_claim(tuple(reversed(dice)), "red", COLOURS) == claimed
