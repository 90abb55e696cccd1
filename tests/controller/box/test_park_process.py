"""Parking in a process of its own: it ends in one line, and loads no more than it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from controller.box import park
from controller.errors import DaemonRuns
from controller.runtime.home import Home
from controller.settings import Settings
from firmware.errors import DeviceMissing
from hardware.box import Box


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHUTBOX_HOME", str(tmp_path))
    return tmp_path


def test_the_box_of_the_settings_is_switched_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    switched: list[tuple[str, str, Path]] = []

    async def switch_off(box: Box, settings: Settings, where: Home) -> None:
        switched.append((box.name, settings.pins, where.data))

    (home / "settings.toml").write_text('box = "classic-9"\npins = "rpigpio"\n')
    monkeypatch.setattr(park, "switch_off", switch_off)
    park.main()

    assert switched == [("classic-9", "rpigpio", home)]


@pytest.mark.parametrize(
    ("trouble", "status", "line"),
    [
        (DaemonRuns("another process\nhas the bus"), 2, "another process has the bus"),
        (DeviceMissing("bus", expected="a bus", seen="none"), 1, "bus: expected a bus, seen none"),
        (OSError(5, "Input/output error", "/dev/i2c-1"), 2, "/dev/i2c-1: Input/output error"),
    ],
)
def test_what_keeps_it_from_letting_go_is_one_line(
    trouble: Exception,
    status: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def refuse(*_words: object) -> None:
        raise trouble

    monkeypatch.setattr(park, "switch_off", refuse)
    with pytest.raises(SystemExit) as end:
        park.main()

    [told] = capsys.readouterr().err.splitlines()
    assert end.value.code == status
    assert line in told


def test_it_loads_neither_camera_nor_server_nor_command_line() -> None:
    heavy = "{'cv2', 'numpy', 'fastapi', 'uvicorn', 'httpx', 'typer', 'rich', 'sqlite3'}"
    question = f"import sys, controller.box.park; print(sorted({heavy} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-P", "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"
