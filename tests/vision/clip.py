"""Clips for the watcher: what lies on the simulated table from when on, and what is done to the picture."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from hardware.sim.dice import SimulatedDie
from tests.vision.stage import BOX, Table
from vision.frame import Frame, Pixels
from vision.sim.camera import SimulatedCamera

_SKIN = (120, 150, 205)
_DIE_LEVELS = 30


@dataclass(frozen=True)
class Scene:
    """Dice on the baize, a hand that reaches in to `hand_px`, the lamp's light, a nudge of the whole tray.

    `slide_px`: how far the dice are yet from where they come to rest.
    `cocked`: the reader, if it is asked, sees a die that leans. `frozen`: the camera repeats its last picture.
    """

    dice: tuple[SimulatedDie, ...] = ()
    slide_px: tuple[int, int] = (0, 0)
    hand_px: tuple[int, int] | None = None
    light: float = 1.0
    tray_px: tuple[int, int] = (0, 0)
    shadow: bool = False
    cocked: bool = False
    frozen: bool = False


@dataclass
class Clip:
    """A camera that shows one scene after another on the running loop's clock, each rendered once."""

    script: Sequence[tuple[float, Scene]]
    seed: int = 1
    captures: int = 0
    plain: dict[tuple[SimulatedDie, ...], Pixels] = field(default_factory=dict)
    rendered: dict[Scene, Pixels] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self._start_s = self._clock()
        self._noise = np.random.default_rng(self.seed).integers(-4, 5, (760, 1320, 3), np.int8)
        self._last = np.zeros((720, 1280, 3), np.uint8)
        self._table = Table((), self.seed)
        self._over_table = SimulatedCamera(self._table, BOX)

    def scene(self) -> Scene:
        now_s = self._clock() - self._start_s
        return [scene for since_s, scene in self.script if since_s <= now_s][-1]

    def capture(self) -> Frame:
        self.captures += 1
        scene = self.scene()
        if not scene.frozen:
            self._last = self._noisy(self._painted(scene))
        return Frame(self._last.copy(), self._clock())

    def reopen(self) -> None:
        pass

    def close(self) -> None:
        pass

    def _noisy(self, picture: Pixels) -> Pixels:
        down, across = self.captures % 40, self.captures // 40 % 40
        noise = self._noise[down : down + 720, across : across + 1280]
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)

    def _painted(self, scene: Scene) -> Pixels:
        key = replace(scene, cocked=False)
        if key not in self.rendered:
            self.rendered[key] = _done_to(self._with_dice(scene), scene)
        return self.rendered[key]

    def _with_dice(self, scene: Scene) -> Pixels:
        """The table with the dice, slid by shifting whatever is not as on the empty table."""
        lying = self._plain(scene.dice)
        if scene.slide_px == (0, 0):
            return lying
        empty = self._plain(())
        mask = np.asarray(cv2.absdiff(lying, empty).max(axis=2) > _DIE_LEVELS, np.uint8)
        mask = np.asarray(cv2.dilate(cv2.medianBlur(mask, 5), np.ones((9, 9), np.uint8)), np.uint8)
        return np.where(_shifted(mask, scene.slide_px)[:, :, None] > 0, _shifted(lying, scene.slide_px), empty)

    def _plain(self, dice: tuple[SimulatedDie, ...]) -> Pixels:
        if dice not in self.plain:
            # Long after the picture before, or what moved since would be smeared.
            self._table.lying, self._table.now_s = dice, self._table.now_s + 10
            self.plain[dice] = self._over_table.capture().pixels
        return self.plain[dice]


def _done_to(picture: Pixels, scene: Scene) -> Pixels:
    picture = picture.copy()
    if scene.hand_px is not None:
        x, y = scene.hand_px
        cv2.ellipse(picture, ((x, y), (150, 210), 20.0), _SKIN, -1, cv2.LINE_AA)
        cv2.line(picture, (x + 20, y + 60), (x + 160, 760), _SKIN, 120, cv2.LINE_AA)
    if scene.shadow:
        across = np.arange(1280) / 1280
        shade = 1 - 0.35 / (1 + np.exp(-(across - 0.5) / 0.08))
        picture = np.asarray(picture * shade[None, :, None], np.uint8)
    if scene.tray_px != (0, 0):
        picture = _shifted(picture, scene.tray_px)
    return np.asarray(cv2.convertScaleAbs(picture, alpha=scene.light), np.uint8)


def _shifted(picture: Pixels, by_px: tuple[int, int]) -> Pixels:
    way = np.array([[1.0, 0.0, by_px[0]], [0.0, 1.0, by_px[1]]])
    return np.asarray(cv2.warpAffine(picture, way, (1280, 720), borderMode=cv2.BORDER_REPLICATE), np.uint8)
