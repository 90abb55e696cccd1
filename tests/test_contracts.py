"""Each import contract, broken on purpose in a copy of the tree, is reported."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.long import long_but_every
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


SIDE_BY_SIDE = "side by side, then hardware"
INSIDE_CONTROLLER = "decide below, metal beside it, doors above"
INSIDE_FIRMWARE = "wires below, pi and sim above"
INSIDE_VISION = "from capture up to the reader, and watching above it"
INSIDE_HARDWARE = "its drawing and its simulation above it"
DEVICES = "campaigns may reach into the simulated world"


BROKEN = [
    ("hardware/tiles.py", "firmware.tiles", SIDE_BY_SIDE),
    ("vision/field/field.py", "firmware.tiles", SIDE_BY_SIDE),
    ("firmware/tiles/bank.py", "controller.game", SIDE_BY_SIDE),
    ("controller/errors.py", "controller.rules", INSIDE_CONTROLLER),
    ("controller/rules/board.py", "controller.runtime", INSIDE_CONTROLLER),
    ("controller/odds/shutbox/aim.py", "controller.game", INSIDE_CONTROLLER),
    ("controller/game/shutbox/decide.py", "controller.settings", INSIDE_CONTROLLER),
    ("controller/settings.py", "controller.journal", INSIDE_CONTROLLER),
    ("controller/box/table.py", "controller.journal", INSIDE_CONTROLLER),
    ("controller/opponents/house.py", "controller.referee", INSIDE_CONTROLLER),
    ("controller/referee/referee.py", "controller.web", INSIDE_CONTROLLER),
    ("controller/web/app.py", "controller.cli.daemon", INSIDE_CONTROLLER),
    ("controller/jobs/camera.py", "controller.bench", INSIDE_CONTROLLER),
    ("controller/bench/wire.py", "controller.cli.options", INSIDE_CONTROLLER),
    ("firmware/wire.py", "firmware.errors", INSIDE_FIRMWARE),
    ("firmware/guard/line.py", "firmware.drivers", INSIDE_FIRMWARE),
    ("firmware/drivers/bus.py", "firmware.tiles", INSIDE_FIRMWARE),
    ("firmware/header.py", "firmware.drivers", INSIDE_FIRMWARE),
    ("firmware/box_io.py", "firmware.selftest", INSIDE_FIRMWARE),
    ("firmware/calibration/ends.py", "firmware.selftest", INSIDE_FIRMWARE),
    ("vision/capture/frame.py", "vision.field", INSIDE_VISION),
    ("vision/field/field.py", "vision.pips", INSIDE_VISION),
    ("vision/pips/face_check.py", "vision.foreground", INSIDE_VISION),
    ("vision/network/network.py", "vision.reader", INSIDE_VISION),
    ("vision/custom_dice/body.py", "vision.watching", INSIDE_VISION),
    ("hardware/errors.py", "hardware.tiles", INSIDE_HARDWARE),
    ("hardware/box.py", "hardware.calibration", INSIDE_HARDWARE),
    ("hardware/wiring/plan.py", "hardware.sim", INSIDE_HARDWARE),
    ("controller/game/shutbox/decide.py", "asyncio", "no metal, no pixels, no disk, no terminal"),
    ("controller/game/shutbox/state.py", "vision.reading", "no metal, no pixels, no disk, no terminal"),
    ("controller/box/table.py", "controller.game", "The box is opened without a game"),
    ("controller/referee/referee.py", "firmware.sim", DEVICES),
    ("controller/cli/play/play.py", "hardware.sim", DEVICES),
    ("controller/bench/demo.py", "firmware.sim", DEVICES),
    ("controller/bench/demo.py", "vision.pi", DEVICES),
    ("firmware/tiles/bank.py", "firmware.pi.computer", DEVICES),
    ("vision/watching/throw_watcher.py", "hardware.sim.world", DEVICES),
    ("controller/rules/board.py", "numpy", "standard library only"),
    ("controller/rules/board.py", "hardware.tiles", "standard library only"),
    ("controller/rules/board.py", "controller.game", "nothing of the rest of the controller"),
    ("controller/odds/shutbox/aim.py", "pydantic", "standard library and the rules only"),
    ("controller/odds/shutbox/aim.py", "controller.game", "nothing of the rest of the controller but the rules"),
    ("controller/odds/fleet/advice.py", "controller.game", "nothing of the rest of the controller but the rules"),
    ("controller/cli/daemon.py", "fastapi", "inside controller/web"),
    ("controller/bench/demo.py", "cv2", "OpenCV stays inside vision"),
    ("controller/cli/daemon.py", "gpiozero", "inside firmware"),
    ("vision/watching/throw_watcher.py", "board", "inside firmware"),
    ("vision/watching/throw_watcher.py", "picamera2", "inside vision/pi"),
    ("firmware/tiles/bank.py", "lgpio", "inside firmware/pi"),
]


@pytest.fixture(scope="module")
def complaints(copy: Path) -> str:
    """The words of one run over a tree in which every contract is broken, its wrapped lines in one."""
    before = {path: (copy / path).read_text("utf-8") for path in {module for module, _, _ in BROKEN}}
    for module, imported, _ in BROKEN:
        with (copy / module).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}\n")
    try:
        result = lint(copy)
    finally:
        for path, text in before.items():
            (copy / path).write_text(text)
    assert result.returncode == 1
    return " ".join(result.stdout.split())


@pytest.mark.parametrize(("module", "imported", "contract"), BROKEN)
def test_a_contract_that_is_broken_is_reported_with_the_line(
    complaints: str, module: str, imported: str, contract: str
) -> None:
    importer = module.removesuffix(".py").replace("/", ".")

    assert f"{contract} BROKEN" in complaints
    assert f"{importer} -> {imported} (l." in complaints


@pytest.mark.parametrize("room", long_but_every(4, ROOMS))
def test_a_new_file_must_be_given_its_layer(copy: Path, room: str) -> None:
    path = copy / room / "newcomer.py"
    path.write_text('"""Nobody has said where this belongs."""\n')
    try:
        result = lint(copy)
    finally:
        path.unlink()

    assert result.returncode == 1
    assert f"{room}.newcomer" in result.stdout
