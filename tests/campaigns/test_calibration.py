"""`calibration` on a few small boxes: ends within 3 degrees, nothing hurt, what is poor called so."""

import json

import pytest

from controller.runtime.output import Exit
from tests.campaigns.calibration import BoxOutcome, CalibrationReport, TileOutcome, bench_calibration, calibrate_box
from tests.support.small_box import RIGID, SLOT, small_box


@pytest.mark.long
@pytest.mark.parametrize("motion", [SLOT, RIGID], ids=["slot", "rigid"])
def test_simulated_boxes_are_calibrated_as_they_are(capsys: pytest.CaptureFixture[str], motion: str) -> None:
    assert bench_calibration(small_box(2, 1, motion=motion), range(1, 3), as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert (told["boxes"], told["tiles"]) == (2, 4)
    assert told["worst_deg"] <= 3
    assert told["longest_stall_s"] <= 0.3
    assert told["poor_called_poor"] > 0
    assert told["poor_missed"] == told["sound_called_poor"] == told["not_put_back"] == 0


def test_the_same_seed_is_the_same_box() -> None:
    assert calibrate_box(small_box(1, 1), 5) == calibrate_box(small_box(1, 1), 5)


SOUND = TileOutcome("front-1", "good", False, 0.5, -1.0)
POOR = TileOutcome("front-2", "poor", True, 9.0, 9.0)
UNMEASURED = TileOutcome("front-2", None, True, 0.0, 0.0)


@pytest.mark.parametrize(
    ("tiles", "stall_s", "put_back", "passed"),
    [
        ((SOUND, POOR, UNMEASURED), 0.2, True, True),
        ((SOUND, TileOutcome("front-2", "good", False, 0.0, -3.1)), 0.2, True, False),
        ((SOUND, TileOutcome("front-2", "fair", True, 0.0, 0.0)), 0.2, True, False),
        ((SOUND, TileOutcome("front-2", "poor", False, 0.0, 0.0)), 0.2, True, False),
        ((SOUND,), 0.31, True, False),
        ((SOUND,), 0.2, False, False),
    ],
    ids=["as it should be", "an end is off", "a poor tile is missed", "a sound one is called poor", "stall", "left"],
)
def test_what_is_not_as_it_should_be_fails(
    tiles: tuple[TileOutcome, ...], stall_s: float, put_back: bool, passed: bool
) -> None:
    report = CalibrationReport(small_box(2, 1), [BoxOutcome(1, tiles, stall_s, put_back, 20.0)])
    assert report.passed is passed
