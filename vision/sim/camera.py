"""The simulated camera: renders what the camera of the box would see of the simulated world."""

import colorsys
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from hardware.box import Box
from hardware.camera import Camera
from hardware.sim.dice import SimulatedDie
from hardware.sim.world import SheetPose
from vision.capture.frame import Frame
from vision.capture.turned import turn
from vision.libraries import cv2
from vision.sim.calibration_sheet import draw_sheet
from vision.sim.cloth import Cloth
from vision.sim.light import Lamp, Light
from vision.sim.optics import mount
from vision.sim.scene import Scene, render

_FRESH_S = 0.1  # changes since an older frame are no motion during this one
_SMEAR_PER_MM = 0.12  # smear of a die, in pixels per mm that it moved since the last frame
_DARK = 0.02


class VisibleWorld(Protocol):
    """The part of the world that the simulated camera may see: the time, the dice, its own fault, the seed.

    No tiles, no game: a picture must not show anything that a camera cannot see.

    `seed` determines how the camera is mounted, the green of the baize, the light and the noise.
    `camera_fault` is None or one of frozen, dark, grey, dead, upside-down.
    `now` is the time in seconds of the clock of the loop, `dice` are the dice as they lie or roll at that time.
    `sheet` is the pose of the calibration sheet over the field; None when nobody holds it.
    """

    @property
    def seed(self) -> int: ...
    @property
    def camera_fault(self) -> str | None: ...
    def now(self) -> float: ...
    def dice(self) -> Sequence[SimulatedDie]: ...
    def sheet(self) -> SheetPose | None: ...


class SimulatedCamera:
    """A camera over a simulated field. A frame carries pixels and a time, nothing else.

    Lifetime: the table is painted at the first capture; closing forgets the last frame.
    Concurrency: one thread, the vision thread. Frames are rendered on request; the same seed, time
    and dice give the same frame.
    """

    def __init__(self, world: VisibleWorld, box: Box) -> None:
        self._world = world
        self._box = box
        self._scene = empty_field(box, world.seed)
        self._last: tuple[Frame, Sequence[SimulatedDie]] | None = None

    def capture(self) -> Frame:
        """Render the field now. Raises `OSError` when the camera is dead in the world."""
        fault = self._world.camera_fault
        if fault == "dead":
            raise OSError("the camera does not answer")
        if fault == "frozen" and self._last is not None:
            return self._last[0]
        dice = tuple(self._world.dice())
        if fault == "grey":
            pixels = np.full((self._box.camera.height_px, self._box.camera.width_px, 3), 128, np.uint8)
        else:
            smears = [0.0] * len(dice)
            if self._last is not None and self._last[1] and self._world.now() - self._last[0].at_s <= _FRESH_S:
                # A die smears by its way since the last frame.
                lay = self._last[1]
                came_mm = [min(abs(die.x_mm - old.x_mm) + abs(die.y_mm - old.y_mm) for old in lay) for die in dice]
                smears = [min(3.0, _SMEAR_PER_MM * way) for way in came_mm]
            scene = replace(self._scene, dice=dice, smears_px=tuple(smears), noise_key=f"{self._world.now():.6f}")
            if fault == "dark":
                scene = replace(scene, sensor=replace(scene.sensor, exposure=_DARK))
            sheet, pixels = self._world.sheet(), render(scene)
            if sheet is not None:
                pixels = draw_sheet(pixels, sheet, scene.optics)
        if self._box.camera.upside_down != (fault == "upside-down"):
            pixels = turn(pixels)
        frame = Frame(pixels, self._world.now())
        self._last = (frame, dice)
        return frame

    def reopen(self) -> None:
        """Do nothing: the fault of the world decides whether the next capture works."""

    def close(self) -> None:
        self._last = None


def empty_field(box: Box, seed: int) -> Scene:
    """Return the empty field of a box as somebody built it: its camera, its green baize, its lamp."""
    rng = random.Random(f"table/{seed}")
    red, green, blue = colorsys.hsv_to_rgb(rng.uniform(0.33, 0.44), rng.uniform(0.6, 0.8), rng.uniform(0.36, 0.5))
    lamp = Lamp(x_part=rng.uniform(0.2, 0.8), y_part=rng.uniform(-0.4, 0.1))
    return Scene(
        mount(box.camera, box.field, seed),
        box.field,
        Cloth("felt", (round(255 * red), round(255 * green), round(255 * blue)), variant=seed % 4),
        Light((lamp,), vignette=rng.uniform(0.04, 0.1)),
        seed=seed,
        size_px=(box.camera.width_px, box.camera.height_px),
    )


class ExposedCamera:
    """A camera whose pictures, taken as the `profile` says, are shown with other `settings`, to try out a calibration.

    Lifetime and concurrency: those of the inner camera.
    """

    def __init__(self, camera: SimulatedCamera, profile: Camera, settings: Camera) -> None:
        self._camera = camera
        light = settings.exposure_us * settings.gain / (profile.exposure_us * profile.gain)
        red, blue = (new / old for new, old in zip(settings.colour_gains, profile.colour_gains, strict=True))
        self._gains = np.diag([light * blue, light, light * red])

    def capture(self) -> Frame:
        """Return the frame of the inner camera in the light of these settings. Raises `OSError` as that does."""
        frame = self._camera.capture()
        return Frame(np.asarray(cv2.transform(frame.pixels, self._gains), np.uint8), frame.at_s)

    def reopen(self) -> None:
        self._camera.reopen()

    def close(self) -> None:
        self._camera.close()
