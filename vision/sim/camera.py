"""The simulated camera: renders what the box's camera would see of the simulated world."""

import random
from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hardware.box import Box
from hardware.sim.dice import SimulatedDie
from vision.frame import Frame, Pixels
from vision.sim.cast import cast_die, cast_shadow
from vision.sim.optics import mounted
from vision.sim.table import empty_table

_NOISE_TILE = 128  # the noise sheet is this much larger than a picture: so many windows lie in it each way
_NOISE_LEVEL = 2.2  # standard deviation of one channel at the box's gain, of 255
_DEFOCUS_PX = 0.7
_FRESH_S = 0.1  # what happened since an older frame is no motion during this one
_SMEAR_PER_MM = 0.12  # a die that moved this much since the last frame is smeared, in pixels per mm
_DARK = 0.02


Noise = npt.NDArray[np.int8]


class FieldOfView(Protocol):
    """What the simulated camera may know of the world: the time, the dice, its own fault, the seed.

    `camera_fault` is None or one of frozen, dark, grey, dead.
    """

    @property
    def seed(self) -> int:
        """Settles how the camera is mounted, the baize's green, the light and the noise."""

    @property
    def camera_fault(self) -> str | None:
        """What is wrong with the camera, if anything."""

    def now(self) -> float:
        """Seconds of the loop's clock."""

    def dice(self) -> Sequence[SimulatedDie]:
        """The dice in the field as they lie or roll now."""


class SimulatedCamera:
    """A camera over a simulated field. A frame carries pixels and a time, nothing else.

    Lifetime: the table is painted at the first capture; closing only forgets it.
    Concurrency: one thread, the vision thread. Frames are rendered when somebody looks; the same seed, time
    and dice give the same frame.
    """

    def __init__(self, world: FieldOfView, box: Box) -> None:
        self._world = world
        self._box = box
        self._optics = mounted(box.camera, box.field, world.seed)
        self._table: Pixels | None = None
        self._noise: Noise | None = None
        self._last: tuple[Frame, Sequence[SimulatedDie]] | None = None

    def capture(self) -> Frame:
        """Render the field now. Raises `OSError` when the world says the camera is dead."""
        fault = self._world.camera_fault
        if fault == "dead":
            raise OSError("the camera does not answer")
        if fault == "frozen" and self._last is not None:
            return self._last[0]
        dice = tuple(self._world.dice())
        frame = Frame(self._picture(dice, fault), self._world.now())
        self._last = (frame, dice)
        return frame

    def reopen(self) -> None:
        """Nothing to reopen; the world's fault decides whether the next capture works."""

    def close(self) -> None:
        """Forget the painted table."""
        self._table = None
        self._noise = None
        self._last = None

    def _picture(self, dice: Sequence[SimulatedDie], fault: str | None) -> Pixels:
        if fault == "grey":
            return np.full((self._box.camera.height_px, self._box.camera.width_px, 3), 128, np.uint8)
        picture = self._painted_table().copy()
        for die in dice:
            cast_shadow(picture, die, self._optics, self._box.field)
        # The farthest from the middle first: a nearer die may cover its side, never the other way round.
        for die in sorted(dice, key=self._from_middle, reverse=True):
            cast_die(picture, die, self._optics, self._box.field, _DEFOCUS_PX + self._smear(die))
        if fault == "dark":
            picture = np.asarray(picture * _DARK, np.uint8)
        return self._with_noise(picture)

    def _painted_table(self) -> Pixels:
        if self._table is None:
            table = empty_table(self._optics, self._box.camera, self._box.field, self._world.seed)
            self._table = np.clip(cv2.GaussianBlur(table, (0, 0), _DEFOCUS_PX), 0, 255).astype(np.uint8)
        return self._table

    def _with_noise(self, picture: Pixels) -> Pixels:
        """Add sensor noise: a window of one prerendered sheet, chosen by seed and time."""
        height, width = picture.shape[:2]
        if self._noise is None:
            shape = (height + _NOISE_TILE, width + _NOISE_TILE, 3)
            sheet = np.random.default_rng(self._world.seed).standard_normal(shape, np.float32)
            self._noise = np.round(_NOISE_LEVEL * sheet).astype(np.int8)
        rng = random.Random(f"noise/{self._world.seed}/{self._world.now():.6f}")
        down, across = rng.randrange(_NOISE_TILE), rng.randrange(_NOISE_TILE)
        window = self._noise[down : down + height, across : across + width]
        return np.asarray(cv2.add(picture, window, dtype=cv2.CV_8U), np.uint8)

    def _smear(self, die: SimulatedDie) -> float:
        """How much a rolling die is smeared, in pixels: by how far it came since the last frame, if that is fresh."""
        if self._last is None or not self._last[1] or self._world.now() - self._last[0].at_s > _FRESH_S:
            return 0.0
        came_mm = min(abs(die.x_mm - old.x_mm) + abs(die.y_mm - old.y_mm) for old in self._last[1])
        return min(3.0, _SMEAR_PER_MM * came_mm)

    def _from_middle(self, die: SimulatedDie) -> float:
        x, y, _ = self._optics.pinhole_mm
        return (die.x_mm - x) ** 2 + (die.y_mm - y) ** 2
