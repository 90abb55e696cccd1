"""Each import contract, broken on purpose in a copy of the tree, is reported."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.test_house import ROOMS, ROOT

SIDE_BY_SIDE = "side by side, then hardware"
INSIDE_CONTROLLER = "decide below, metal beside it, doors above"
INSIDE_FIRMWARE = "wires below, pi and sim above"
INSIDE_VISION = "from capture up to the reader, and watching above it"
INSIDE_HARDWARE = "its drawing and its simulation above it"
INSIDE_GAME = "the table stands above them"
DEVICES = "the demonstration may reach into the simulated world"

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
    ("controller/game/fleet/decide.py", "controller.game.shutbox.state", INSIDE_GAME),
    ("controller/rules/fleet/cards.py", "controller.rules.shutbox.games", "do not know each other"),
    ("firmware/wire.py", "firmware.errors", INSIDE_FIRMWARE),
    ("firmware/guard/line.py", "firmware.tiles", INSIDE_FIRMWARE),
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
    ("controller/cli/demonstration.py", "firmware.sim", DEVICES),
    ("controller/cli/demonstration.py", "vision.pi", DEVICES),
    ("firmware/tiles/bank.py", "firmware.pi.computer", DEVICES),
    ("vision/watching/throw_watcher.py", "hardware.sim.world", DEVICES),
    ("controller/rules/board.py", "numpy", "standard library only"),
    ("controller/rules/board.py", "hardware.tiles", "standard library only"),
    ("controller/rules/board.py", "controller.game", "nothing of the rest of the controller"),
    ("controller/odds/shutbox/aim.py", "pydantic", "standard library and the rules only"),
    ("controller/odds/shutbox/aim.py", "controller.game", "nothing of the rest of the controller but the rules"),
    ("controller/odds/fleet/advice.py", "controller.game", "nothing of the rest of the controller but the rules"),
    ("controller/cli/daemon.py", "fastapi", "inside controller/web"),
    ("controller/cli/demonstration.py", "cv2", "OpenCV stays inside vision"),
    ("controller/cli/daemon.py", "gpiozero", "inside firmware"),
    ("vision/watching/throw_watcher.py", "board", "inside firmware"),
    ("vision/watching/throw_watcher.py", "picamera2", "inside vision/pi"),
    ("firmware/tiles/bank.py", "lgpio", "inside firmware/pi"),
    ("controller/jobs/camera.py", "vision.pips", "vision's own"),
    ("controller/web/app.py", "controller.journal.salvage", "the journal's own"),
]


def test_each_contract_that_is_broken_is_reported_with_the_line_and_a_new_file_must_be_given_its_layer(
    tmp_path: Path,
) -> None:
    """One copy of the tree, one process: what is reported of it lists every offence."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
        (tmp_path / room / "newcomer.py").write_text('"""Nobody has said where this belongs."""\n')
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, imported, _ in BROKEN:
        with (tmp_path / module).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}\n")
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    result = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = " ".join(result.stdout.split())

    assert result.returncode == 1
    assert not [
        (module, imported, contract)
        for module, imported, contract in BROKEN
        if f"{contract} BROKEN" not in told
        or f"{module.removesuffix('.py').replace('/', '.')} -> {imported} (l." not in told
    ]
    assert not [room for room in ROOMS if f"{room}.newcomer" not in told]
