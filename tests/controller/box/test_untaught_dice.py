"""What is said of the dice of a simulated box beforehand is what was taught of them."""

import pytest

from controller.box.dice import claim_dice_of, simulated_claim_dice


@pytest.mark.parametrize("joker", ["boat", "bolt"])
def test_the_dice_that_nobody_teaches_are_those_that_were_taught(joker: str) -> None:
    untaught = simulated_claim_dice(joker)

    assert claim_dice_of(untaught.load()) == untaught.dice
