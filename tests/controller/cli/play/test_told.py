"""A race told round by round."""

import json

import pytest

from controller.cli.race.seats import tell_race
from controller.game.core.commands import Undo
from tests.support.races import RaceByHand


def test_a_chip_that_was_put_back_is_not_told_as_one_that_somebody_has(capsys: pytest.CaptureFixture[str]) -> None:
    table = RaceByHand(3, challenge="in_order")
    table.play_round(0, 1)
    table.do(Undo())
    table.finish(2)
    table.play_round(2, 1)

    tell_race(7, table.events, table.race, as_json=True)
    told = json.loads(capsys.readouterr().out)
    chips = [(chip["round"], chip["player"], chip["points"]) for chip in told["chips"]]
    names = [player.name for player in table.race.players]
    first, second = [(1, 0, 3), (1, 2, 2), (1, 1, 1)], [(2, 2, 3), (2, 1, 2), (2, 0, 1)]
    assert chips == [(number, names[seat], points) for number, seat, points in (*first, *second)]
    assert told["totals"] == dict(zip(names, (4, 3, 5), strict=True))
