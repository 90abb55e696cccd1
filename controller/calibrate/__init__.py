"""Guided work at the box, at a terminal or as a job of the daemon: calibrate servos, camera and dice, test the box."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.calibrate.camera import camera_session
    from controller.calibrate.conversation import Answer, Cancelled, Conversation, Result, Session
    from controller.calibrate.dice import dice_session, list_sets
    from controller.calibrate.job import Holder, JobState, Line
    from controller.calibrate.jog import jog_servos
    from controller.calibrate.kinds import session_for
    from controller.calibrate.saving import confirm
    from controller.calibrate.selftest import selftest_session
    from controller.calibrate.servo_table import describe_missing, draw_servos, versions_json
    from controller.calibrate.servos import servo_session
    from controller.calibrate.terminal import Terminal, no_lines, run_at_terminal
    from controller.calibrate.wiring import wiring_session
    from controller.calibrate.workshop import Workshop
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "Answer",
    "Cancelled",
    "Conversation",
    "Holder",
    "JobState",
    "Line",
    "Result",
    "Session",
    "Terminal",
    "Workshop",
    "camera_session",
    "confirm",
    "describe_missing",
    "dice_session",
    "draw_servos",
    "jog_servos",
    "list_sets",
    "no_lines",
    "run_at_terminal",
    "selftest_session",
    "servo_session",
    "session_for",
    "versions_json",
    "wiring_session",
]
