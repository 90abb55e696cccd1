"""Rigs for guided measuring: camera and sheet, camera and dice, servos.

A rig is what one session needs of a box and no more, so that a camera is calibrated where no servo works yet. Rigs know
nothing of the sessions that use them. `choose_rigs.py` chooses them.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from firmware.box_io import Firmware
from hardware.box import Box
from vision.calibration import AdjustableCamera, WantedView
from vision.capture import Camera
from vision.taught import WantedShot


@dataclass(frozen=True, slots=True)
class CameraRig:
    """The camera to calibrate, and whoever holds the sheet under it.

    `show` asks for a view of the sheet (None: for the empty field). A person reads the words; the simulated one
    does as this says. `simulated_seed` is the simulated box's, None for a real one.
    """

    box: Box
    camera: AdjustableCamera
    show: Callable[[WantedView | None], None]
    simulated_seed: int | None = None


@dataclass(frozen=True, slots=True)
class DiceRig:
    """The camera over the baize. `lay` asks for dice: a person reads the words, the simulated one does as told."""

    box: Box
    camera: Camera
    lay: Callable[[WantedShot], None]


@dataclass(frozen=True, slots=True)
class ServoRig:
    """The open electronics of a box whose tiles may be driven over the whole range of their servos.

    `simulated_seed` is the simulated box's, None for a real one.
    """

    box: Box
    firmware: Firmware
    simulated_seed: int | None = None


OpenServoRig = Callable[[], AbstractAsyncContextManager[ServoRig]]
