"""Rigs for guided measuring: camera and sheet, camera and dice, servos.

A rig is the part of a box that one session needs and no more, so that a camera can be calibrated before any servo
works. Rigs do not know the sessions that use them. `choose_rigs.py` chooses them.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from controller.box.simulated_actions import Reach
from firmware.box_io import Firmware
from hardware.box import Box
from hardware.calibration import ServoCalibration
from hardware.tiles import TileId
from hardware.wires import ServoChannel
from vision.calibration.exposure import AdjustableCamera
from vision.calibration.guided_views import WantedView
from vision.capture.frame import Camera
from vision.custom_dice.teaching import WantedShot


@dataclass(frozen=True, slots=True)
class CameraRig:
    """The camera to calibrate, and the person who holds the sheet under it.

    show: asks for a view of the sheet (None: for the empty field). A real person reads the session's words instead; a
    simulated one obeys this call.
    simulated_seed: of the simulated box; None for a real one.
    """

    box: Box
    camera: AdjustableCamera
    show: Callable[[WantedView | None], None]
    simulated_seed: int | None = None


@dataclass(frozen=True, slots=True)
class DiceRig:
    """The camera over the baize. lay: asks for dice; a real person reads the session's words, a simulated one obeys."""

    box: Box
    camera: Camera
    lay: Callable[[WantedShot], None]


@dataclass(frozen=True, slots=True)
class ServoRig:
    """The open electronics of a box whose tiles may be driven over the whole range of their servos.

    simulated_seed: of the simulated box; None for a real one.
    """

    box: Box
    firmware: Firmware
    simulated_seed: int | None = None


@dataclass(frozen=True, slots=True)
class BringUpRig:
    """A box whose wiring is not known yet.

    box, text, name: its profile without end points of single tiles, its text, and its name or file. before: the saved
    calibration of this same box. open: opens the electronics as another profile says, since chips may be elsewhere.
    sees: which tile somebody sees moved by a channel, at a simulated box; None for a real one, where people look.
    """

    box: Box
    text: str
    name: str
    before: ServoCalibration | None
    open: Callable[[Box], AbstractAsyncContextManager[ServoRig]]
    sees: Callable[[ServoChannel], TileId | None] | None = None


LendHands = Callable[[Reach | None], None]
"""Has hands reach a simulated box that a job has opened; None: the one at the table again."""

OpenServoRig = Callable[[], AbstractAsyncContextManager[ServoRig]]
