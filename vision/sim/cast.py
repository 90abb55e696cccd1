"""Draws one die and its shadow into a picture, in true perspective."""

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.box import FieldLayout
from hardware.sim.dice import Colour, SimulatedDie
from vision.frame import Pixels
from vision.sim.cube import ROUNDING, Face, corners_of, faces_of
from vision.sim.optics import Optics

_FINE = 3  # a die is drawn this many times finer, then averaged down
_FRACTION_BITS = 4
_LAMP_MM = (0.3, -0.2, 520.0)  # where the lamp hangs: parts of the field's width and depth, height in mm
_SHADOW = 0.45  # how much light a shadow takes
_SIDE_LIGHT, _SIDE_LAMP = 0.52, 0.3

Real = NDArray[np.float64]


def cast_shadow(picture: Pixels, die: SimulatedDie, optics: Optics, layout: FieldLayout) -> None:
    """Darken the baize where `die` keeps the lamp off; soft at the rim."""
    lamp = _lamp(layout)
    corners = corners_of(die, ROUNDING * die.look.edge_mm / 2)
    reach = lamp[2] / (lamp[2] - corners[:, 2:])
    ground = np.column_stack((lamp[:2] + (corners[:, :2] - lamp[:2]) * reach, np.zeros(len(corners))))
    points = optics.project(ground)
    left, top, right, bottom = _window(points, 10, picture)
    if right <= left or bottom <= top:
        return
    mask = np.zeros((bottom - top, right - left), np.float32)
    hull = cv2.convexHull((points - (left, top)).astype(np.float32))
    cv2.fillConvexPoly(mask, _fixed(np.asarray(hull[:, 0], np.float64)), 1.0, cv2.LINE_8, _FRACTION_BITS)
    soft = 1 - _SHADOW * cv2.GaussianBlur(mask, (0, 0), 2.5)
    part = picture[top:bottom, left:right]
    part[:] = (part * soft[:, :, None]).astype(np.uint8)


def cast_die(picture: Pixels, die: SimulatedDie, optics: Optics, layout: FieldLayout, blur_px: float) -> None:
    """Draw `die`: a cube with rounded edges, its top and the sides that the camera sees, with their pips."""
    silhouette = _silhouette(die, optics)
    left, top, right, bottom = _window(silhouette, int(3 * blur_px) + 3, picture)
    if right <= left or bottom <= top:
        return
    shape = ((bottom - top) * _FINE, (right - left) * _FINE)
    colour, cover = np.zeros((*shape, 3), np.uint8), np.zeros(shape, np.uint8)
    colour[:] = _shaded(die.look.body, 0.72)
    _Painter(colour, optics, (left, top)).paint(die, layout)
    cv2.fillConvexPoly(cover, _fixed(_fine(silhouette, (left, top))), 255, cv2.LINE_8, _FRACTION_BITS)
    size = (right - left, bottom - top)
    colour_px = cv2.GaussianBlur(cv2.resize(colour, size, interpolation=cv2.INTER_AREA), (0, 0), blur_px)
    cover_px = cv2.GaussianBlur(cv2.resize(cover, size, interpolation=cv2.INTER_AREA), (0, 0), blur_px)
    alpha = (cover_px.astype(np.float32) / 255)[:, :, None]
    part = picture[top:bottom, left:right]
    part[:] = (part + alpha * (colour_px.astype(np.float32) - part)).astype(np.uint8)


class _Painter:
    """Paints the faces of one die into its fine window.

    Lifetime: one die. Concurrency: one thread.
    """

    def __init__(self, colour: Pixels, optics: Optics, corner: tuple[int, int]) -> None:
        self._colour = colour
        self._optics = optics
        self._corner = corner

    def paint(self, die: SimulatedDie, layout: FieldLayout) -> None:
        lamp = _lamp(layout)
        top, *sides = faces_of(die)
        for face in [side for side in sides if self._faces_camera(side)] + [top]:
            self._paint_face(face, die, lamp)

    def _paint_face(self, face: Face, die: SimulatedDie, lamp: Real) -> None:
        edge = die.look.edge_mm
        flat_mm = edge * (0.5 - ROUNDING * 0.5)
        to_lamp = lamp - face.middle
        facing = max(0.0, float(face.normal @ to_lamp) / float(np.linalg.norm(to_lamp)))
        light = 1.0 if face.normal[2] > 0.5 else _SIDE_LIGHT + _SIDE_LAMP * facing
        self._fill(face.outline(flat_mm), _shaded(die.look.body, light))
        for rim in face.pips(edge):
            self._fill(rim, _shaded(die.look.pip, light))

    def _fill(self, outline_mm: Real, colour: tuple[float, float, float]) -> None:
        points = _fine(self._optics.project(outline_mm), self._corner)
        cv2.fillConvexPoly(self._colour, _fixed(points), colour, cv2.LINE_8, _FRACTION_BITS)

    def _faces_camera(self, face: Face) -> bool:
        return float(face.normal @ (np.asarray(self._optics.pinhole_mm) - face.middle)) > 0


def _silhouette(die: SimulatedDie, optics: Optics) -> Real:
    """The outline (n, 2) of a rounded cube: the hull of a ball at each corner."""
    radius = ROUNDING * die.look.edge_mm
    centres = corners_of(die, radius)
    points = optics.project(centres)
    rims = optics.project(centres + np.array([radius, 0.0, 0.0]))
    radii = np.linalg.norm(rims - points, axis=1)
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = np.column_stack((np.cos(turns), np.sin(turns)))
    balls = (points[:, None] + radii[:, None, None] * ring).reshape(-1, 2)
    return np.asarray(cv2.convexHull(balls.astype(np.float32))[:, 0], np.float64)


def _lamp(layout: FieldLayout) -> Real:
    return np.array([_LAMP_MM[0] * layout.width_mm, _LAMP_MM[1] * layout.depth_mm, _LAMP_MM[2]])


def _window(points: Real, margin: int, picture: Pixels) -> tuple[int, int, int, int]:
    """The part of the picture about `points`: left, top, right, bottom."""
    low, high = np.floor(points.min(axis=0)) - margin, np.ceil(points.max(axis=0)) + margin
    height, width = picture.shape[:2]
    return max(0, int(low[0])), max(0, int(low[1])), min(width, int(high[0])), min(height, int(high[1]))


def _fine(points: Real, corner: tuple[int, int]) -> Real:
    # A pixel's middle is at whole numbers, coarse and fine alike.
    return np.asarray((points - corner + 0.5) * _FINE - 0.5, np.float64)


def _fixed(points: Real) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 2**_FRACTION_BITS), np.int32)


def _shaded(colour: Colour, light: float) -> tuple[float, float, float]:
    red, green, blue = colour
    return blue * light, green * light, red * light
