"""A match of two boxes, in real processes: to its end, and amid cuts."""

import asyncio
from pathlib import Path

import pytest

from tests.campaigns.campaign import Results
from tests.campaigns.two_boxes.arena import MOSQUITTO, open_arena
from tests.campaigns.two_boxes.checker import Events, compare_wood, told
from tests.campaigns.two_boxes.matches import Outcome, play_matches


@pytest.mark.long
@pytest.mark.skipif(not MOSQUITTO, reason="no mosquitto here")
def test_a_match_amid_cuts_is_the_same_in_both_journals_and_in_both_woods(tmp_path: Path) -> None:
    pytest.importorskip("aiomqtt", reason="no aiomqtt here: make lanes")
    results = Results[Outcome]()
    with open_arena(tmp_path, None) as arena, asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(play_matches(arena, 1, 1, results, lambda _: None))
    [outcome] = results.outcomes
    assert not outcome.wrong
    assert outcome.ends == (0, 0)
    assert outcome.acknowledged


def test_the_checker_leaves_out_what_is_a_boxes_own_and_nothing_else() -> None:
    events: Events = {
        1: {"kind": "game_started", "game_id": 4},
        2: {"kind": "dice_thrown", "dice": [1, 2], "source": "camera", "game_id": 4},
        3: {"kind": "game_halted", "game_id": 4},
        4: {"kind": "turn_ended", "player": 0, "score": 9, "game_id": 4},
    }
    assert told(events) == [{"kind": "dice_thrown", "dice": [1, 2]}, {"kind": "turn_ended", "player": 0, "score": 9}]


def test_the_checker_names_a_tile_that_lies_elsewhere() -> None:
    assert compare_wood({"front-1": "OPEN"}, {"front-1": "SHUT"}, 0) == ["box 0: front-1 is OPEN, its game has it SHUT"]
