"""Guided measuring: a person and the program calibrate servos, camera and dice together."""

from typing import TYPE_CHECKING

from hardware.lazy_face import load_on_demand

if TYPE_CHECKING:
    from controller.calibrate.camera import CameraOrder, calibrate_camera
    from controller.calibrate.dice import list_sets, teach_dice
    from controller.calibrate.jog import jog_servos
    from controller.calibrate.servo_table import tell_missing, tell_servos, versions_json
    from controller.calibrate.servos import calibrate_servos
    from controller.calibrate.session import Cancelled, TypedInput, run_session
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "CameraOrder",
    "Cancelled",
    "TypedInput",
    "calibrate_camera",
    "calibrate_servos",
    "jog_servos",
    "list_sets",
    "run_session",
    "teach_dice",
    "tell_missing",
    "tell_servos",
    "versions_json",
]
