"""Which parts of a new box are set up, by what its home keeps."""

from typing import Literal, get_args

from controller.box.wires_note import wires_noted
from controller.runtime.home import Home
from controller.settings import load_settings
from hardware.box import Box
from hardware.calibration import load_calibration

SetUpPart = Literal["box", "wires", "camera", "servos"]
SET_UP_PARTS: tuple[SetUpPart, ...] = get_args(SetUpPart)


def find_set_up(home: Home, box: Box, is_mock: bool) -> frozenset[SetUpPart]:
    """Return the parts that are set up. Raises `CalibrationError`, `SettingsError`."""
    saved = load_calibration(home.data, box.name)
    is_done: dict[SetUpPart, bool] = {
        "box": "box" in load_settings(home.settings).model_fields_set,
        "wires": wires_noted(home, box.name, mock=is_mock) is not None,
        "camera": saved.camera is not None,
        "servos": saved.servos is not None and saved.servos.tiles.keys() >= set(box.tile_ids),
    }
    return frozenset(part for part, done in is_done.items() if done)
