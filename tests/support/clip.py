"""Clips for the watcher: what lies on the simulated table from when on, and what is done to the picture."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from hardware.sim.dice import SimulatedDie
from tests.support.stage import BOX
from vision.capture.frame import Frame, Pixels
from vision.sim import scene as table
from vision.sim.camera import empty_field
from vision.sim.hand import Hand

_DIE_LEVELS = 30


@dataclass(frozen=True)
class Scene:
    """Dice on the baize, a hand that reaches in to `hand_mm`, the lamp's light, a nudge of the whole tray.

    `slide_px`: how far the dice are yet from where they come to rest. `frozen`: the camera repeats its last picture.
    """

    dice: tuple[SimulatedDie, ...] = ()
    slide_px: tuple[int, int] = (0, 0)
    hand_mm: tuple[float, float] | None = None
    light: float = 1.0
    tray_px: tuple[int, int] = (0, 0)
    shadow: bool = False
    frozen: bool = False


@dataclass
class Clip:
    """A camera that shows one scene after another on the running loop's clock, each rendered once."""

    script: Sequence[tuple[float, Scene]]
    seed: int = 1
    captures: int = 0
    plain: dict[table.Scene, Pixels] = field(default_factory=dict)
    rendered: dict[Scene, Pixels] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._clock = asyncio.get_running_loop().time
        self._start_s = self._clock()
        self._noise = np.random.default_rng(self.seed).integers(-4, 5, (760, 1320, 3), np.int8)
        self._last = np.zeros((720, 1280, 3), np.uint8)
        self._table = empty_field(BOX, self.seed)

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
        if scene not in self.rendered:
            self.rendered[scene] = _done_to(self._with_dice(scene), scene)
        return self.rendered[scene]

    def _with_dice(self, scene: Scene) -> Pixels:
        """The table with the dice, slid by shifting whatever is not as on the empty table, and the hand over it."""
        hand = None if scene.hand_mm is None else Hand(*scene.hand_mm, towards_rad=-1.4)
        lying = self._plain(replace(self._table, dice=scene.dice, hand=hand))
        if scene.slide_px == (0, 0):
            return lying
        empty = self._plain(self._table)
        mask = np.asarray(cv2.absdiff(lying, empty).max(axis=2) > _DIE_LEVELS, np.uint8)
        mask = np.asarray(cv2.dilate(cv2.medianBlur(mask, 5), np.ones((9, 9), np.uint8)), np.uint8)
        return np.where(_shifted(mask, scene.slide_px)[:, :, None] > 0, _shifted(lying, scene.slide_px), empty)

    def _plain(self, seen: table.Scene) -> Pixels:
        if seen not in self.plain:
            self.plain[seen] = table.render(seen)
        return self.plain[seen]


def _done_to(picture: Pixels, scene: Scene) -> Pixels:
    picture = picture.copy()
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
