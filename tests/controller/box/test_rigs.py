"""What is measured of the real box is measured under what was measured before."""

from pathlib import Path

import pytest

from controller.box.choose_rigs import Rigs
from controller.box.job_requests import DiceOrder
from controller.runtime.home import Home
from controller.settings import Settings
from hardware.box import Box
from hardware.calibration import save_section
from tests.support.calibrations import CAMERA


async def test_dice_are_taught_under_the_light_that_they_are_played_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exposed: list[tuple[int, float]] = []
    calibration = CAMERA.model_copy(update={"exposure_us": 20_000, "gain": 3.5})
    save_section(tmp_path, "two-level-9", "camera", calibration)
    monkeypatch.setattr("controller.box.choose_rigs.require_pi", lambda: None)

    def choose(_settings: Settings, box: Box, _clock: object) -> None:
        exposed.append((box.camera.exposure_us, box.camera.gain))

    monkeypatch.setattr("controller.box.choose_rigs.choose_camera", choose)
    order = DiceOrder("boats", 6, ((1, "boat"), (2, "2")))
    Rigs("two-level-9", Settings(), Home(tmp_path, tmp_path)).dice(order)()
    assert exposed == [(20_000, 3.5)]
