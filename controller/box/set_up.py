"""Which parts of a new box are set up, by what its home keeps."""

from contextlib import suppress
from typing import Literal, get_args

from controller.box.stored_calibration import load_readable
from controller.box.wires_note import wires_noted
from controller.errors import SettingsError
from controller.runtime.home import Home
from controller.settings import load_settings
from hardware.box import Box

SetUpPart = Literal["box", "wires", "camera", "servos"]
SET_UP_PARTS: tuple[SetUpPart, ...] = get_args(SetUpPart)


def find_set_up(home: Home, box: Box, is_mock: bool) -> frozenset[SetUpPart]:
    """Return the parts that are set up; what cannot be read is none of them."""
    saved = load_readable(home.data, box)
    is_chosen = False
    with suppress(SettingsError):
        is_chosen = "box" in load_settings(home.settings).model_fields_set
    is_done: dict[SetUpPart, bool] = {
        "box": is_chosen,
        "wires": wires_noted(home, box.name, mock=is_mock) is not None,
        "camera": saved.camera is not None,
        "servos": saved.servos is not None and saved.servos.tiles.keys() >= set(box.tile_ids),
    }
    return frozenset(part for part, done in is_done.items() if done)
