"""Each import contract, broken on purpose in a copy of the tree, is reported."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_house import ROOMS, ROOT


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    return subprocess.run(
        command, cwd=folder, env=os.environ | {"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False
    )


def test_the_contracts_hold(copy: Path) -> None:
    assert lint(copy).returncode == 0


@pytest.mark.parametrize(
    ("module", "imported", "contract"),
    [
        ("hardware/tiles.py", "firmware.tiles.bank", "side by side, then hardware"),
        ("vision/field.py", "firmware.tiles.bank", "side by side, then hardware"),
        ("firmware/bank.py", "controller.game", "side by side, then hardware"),
        ("controller/referee.py", "firmware.sim", "reach into the simulated world"),
        ("firmware/bank.py", "firmware.pi.i2c", "reach into the simulated world"),
        ("vision/watcher.py", "hardware.sim.world", "reach into the simulated world"),
        ("controller/rules/board.py", "numpy", "standard library only"),
        ("controller/rules/board.py", "hardware.tiles", "standard library only"),
        ("controller/rules/board.py", "controller.game", "nothing of the rest of the controller"),
        ("controller/odds/aim.py", "pydantic", "standard library and the rules only"),
        ("controller/odds/aim.py", "controller.game", "nothing of the rest of the controller but the rules"),
        ("controller/daemon.py", "fastapi", "inside controller/web"),
        ("controller/demo.py", "cv2", "OpenCV stays inside vision"),
        ("controller/daemon.py", "gpiozero", "inside firmware"),
        ("vision/watcher.py", "board", "inside firmware"),
        ("vision/watcher.py", "picamera2", "inside vision/pi"),
        ("firmware/bank.py", "lgpio", "inside firmware/pi"),
    ],
)
def test_a_contract_that_is_broken_is_reported(copy: Path, module: str, imported: str, contract: str) -> None:
    path = copy / module
    whole = path.read_text("utf-8")
    path.write_text(f"{whole}\nimport {imported}\n")
    try:
        result = lint(copy)
    finally:
        path.write_text(whole)

    assert result.returncode == 1
    # A long name is wrapped, so the words are put in one line.
    assert f"{contract} BROKEN" in " ".join(result.stdout.split())
