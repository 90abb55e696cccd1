"""Checks at the start: a camera that has moved is logged, and said to whoever sits at a terminal."""

from pathlib import Path

import pytest

from hardware.calibration import save_section
from tests.controller.conftest import Shutbox
from tests.support.calibrations import BOX, calibrated


@pytest.fixture
def moved(tmp_path: Path) -> None:
    """Calibrated, but for a camera that hangs elsewhere than the simulated one."""
    save_section(tmp_path, BOX.name, "camera", calibrated().model_copy(update={"simulated_seed": 1}))


@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize("command", ["play", "selftest"])
def test_who_sits_at_the_terminal_is_told_once_that_the_camera_has_moved(
    shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    _, _, err = shutbox(command, "--mock", "--seed", "1")
    assert err.count("The camera has moved since it was calibrated") == 1


@pytest.mark.usefixtures("moved")
def test_a_camera_that_has_moved_is_a_warning_in_the_log(shutbox: Shutbox, caplog: pytest.LogCaptureFixture) -> None:
    shutbox("selftest", "--mock", "--seed", "1")
    assert sum("The camera has moved" in record.message for record in caplog.records) == 1
