"""Questions about Fleet! and Flash! are refused in our own words."""

import pytest

from controller.game.table.questions import FleetQuestion
from controller.game.table.variants import GameChoice
from controller.rules.errors import InvalidNotation
from controller.rules.tiles import NO_MARKS


def test_what_the_validator_complains_of_is_said_in_our_words() -> None:
    with pytest.raises(InvalidNotation) as refused:
        FleetQuestion.about(GameChoice("fleet", {}, NO_MARKS), combination=5)
    assert str(refused.value) == "combination: must be a text"
