"""The calibration sheet over the simulated field, and the person who holds it as asked."""

import math
import random
from functools import cache

import numpy as np

from hardware.box import Box
from hardware.sim.world import SheetPose, World
from vision.calibration.guided_views import WantedView
from vision.calibration.sheets import DEPTH_MM, WIDTH_MM, black_squares
from vision.capture.arrays import Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.sim.optics import Optics, mount

_TEXELS_PER_MM = 4
_MARGIN_MM = 8.0
_BLACK, _WHITE = 28.0, 214.0
_COARSE_PX = 8  # the map back to the sheet is smooth: it is computed on this grid and interpolated
_BLUR_TEXELS = 1.0
_FALL = 0.25  # light that a leaning sheet loses per unit of rise
_EDGE_PX = 12.0  # people keep the squares this far inside the picture
_LEAN = 0.42
_HEIGHTS_MM = {"flat": 40.0, "lean": 62.0, "corner": 45.0, "near": 112.0, "far": 1.0, "any": 60.0}


def draw_sheet(picture: Pixels, pose: SheetPose, optics: Optics) -> Pixels:
    """Return a new picture (h, w, 3) with the sheet held over the field, in true perspective."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(0, width + _COARSE_PX, _COARSE_PX), np.arange(0, height + _COARSE_PX, _COARSE_PX))
    nodes = np.column_stack((x.ravel(), y.ravel())).astype(float)
    pinhole = np.array(optics.pinhole_mm)
    rays = np.column_stack((optics.lift(nodes), np.zeros(len(nodes)))) - pinhole
    across, down = _axes(pose)
    normal = np.cross(across, down)
    reach = (normal @ (np.array(pose.middle_mm) - pinhole)) / (rays @ normal)
    from_middle = pinhole + rays * reach[:, None] - np.array(pose.middle_mm)
    on_sheet = np.column_stack((from_middle @ across + WIDTH_MM / 2, from_middle @ down + DEPTH_MM / 2))
    texels = ((on_sheet + _MARGIN_MM) * _TEXELS_PER_MM - 0.5).reshape(*x.shape, 2).astype(np.float32)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32) / _COARSE_PX
    fine = cv2.remap(texels, columns, rows, cv2.INTER_LINEAR)
    seen = cv2.remap(_drawing(), fine, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(-1.0,))  # type: ignore[call-overload]
    light = 1.0 - _FALL * abs(pose.rise[0] + 0.5 * pose.rise[1])
    cover = (seen >= 0)[:, :, None]
    return np.asarray(np.where(cover, np.clip(seen[:, :, None] * light, 0, 255), picture), np.uint8)


def _axes(pose: SheetPose) -> tuple[Real, Real]:
    """Return the directions (3,) of the rows and columns of the sheet in field axes, the third being up."""
    cosine, sine = math.cos(pose.turn_rad), math.sin(pose.turn_rad)
    across = np.array([cosine, sine, cosine * pose.rise[0] + sine * pose.rise[1]])
    down = np.array([-sine, cosine, -sine * pose.rise[0] + cosine * pose.rise[1]])
    across /= np.linalg.norm(across)
    down -= across * (across @ down)
    return across, down / np.linalg.norm(down)


@cache
def _drawing() -> Real32:
    """Draw the sheet with its white margin."""
    scale = _TEXELS_PER_MM
    size = [round((side + 2 * _MARGIN_MM) * scale) for side in (DEPTH_MM, WIDTH_MM)]
    paper = np.full(size, _WHITE, np.float32)
    for left, upper, right, lower in black_squares():
        rows = slice(round((upper + _MARGIN_MM) * scale), round((lower + _MARGIN_MM) * scale))
        paper[rows, round((left + _MARGIN_MM) * scale) : round((right + _MARGIN_MM) * scale)] = _BLACK
    return np.asarray(cv2.GaussianBlur(paper, (0, 0), _BLUR_TEXELS), np.float32)


def hold_as(wanted: WantedView, optics: Optics, size_px: tuple[int, int], rng: random.Random) -> SheetPose:
    """Hold the sheet as a person does when asked for `wanted`: roughly so, and all of it within the picture."""
    rise = [rng.uniform(-0.03, 0.03) for _ in "xy"]
    turn_rad = rng.uniform(-0.05, 0.05)
    if wanted.kind == "lean":
        rise = [slope + _LEAN * way for slope, way in zip(rise, (wanted.x, wanted.y), strict=True)]
    if wanted.kind == "any":
        rise = [rng.uniform(-_LEAN, _LEAN) for _ in "xy"]
        turn_rad = rng.uniform(-0.4, 0.4)
    height_mm = _HEIGHTS_MM[wanted.kind]
    off = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH_MM / 2, DEPTH_MM / 2)  # corners from the middle
    while True:
        middle = np.array([size_px]) / 2
        for _ in range(4):
            place = optics.lift(middle, height_mm)[0]
            pose = SheetPose((float(place[0]), float(place[1]), height_mm), turn_rad, (rise[0], rise[1]))
            across, down = _axes(pose)
            outline = optics.project(pose.middle_mm + off[:, :1] * across + off[:, 1:] * down)
            low, high = outline.min(axis=0), outline.max(axis=0)
            # The middle of the sheet comes to the middle of the picture, or its outline into the corner asked for.
            moves = (np.array(size_px) - (low + high)) / 2
            if wanted.kind == "corner":
                far = np.array((wanted.x, wanted.y)) >= 0
                moves = np.where(far, np.array(size_px) - _EDGE_PX - high, _EDGE_PX - low)
            middle = middle + moves
        if height_mm < 10 or (min(low) >= _EDGE_PX - 1 and np.all(high <= np.array(size_px) - _EDGE_PX + 1)):
            return pose
        height_mm *= 0.85


class SimulatedPerson:
    """Holds the sheet as asked. Lifetime: one calibration. Concurrency: one thread."""

    def __init__(self, world: World, box: Box) -> None:
        self._world = world
        self._size_px = (box.camera.width_px, box.camera.height_px)
        self._optics = mount(box.camera, box.field, world.seed)
        self._rng = random.Random(f"person/{world.seed}")

    def show(self, wanted: WantedView | None) -> None:
        """Hold the sheet for this view, slightly differently every time; None takes it away."""
        pose = hold_as(wanted, self._optics, self._size_px, self._rng) if wanted is not None else None
        self._world.hold_sheet(pose)
