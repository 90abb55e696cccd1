"""Draws dice and their shadows into a picture, in true perspective and in the light that falls on them."""

from collections.abc import Sequence

import numpy as np

from hardware.sim.dice import SimulatedDie
from vision.capture.arrays import Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.sim.canvas import BITS, Canvas, Window, hull_of_circles, px_per_mm, silhouette, to_fixed_point, window
from vision.sim.drawings import TEXELS, texture
from vision.sim.solids import Face, Solid, solid_of
from vision.sim.table import LIT

_FINE = 2  # a die is drawn this many times finer, then averaged down
_SKY = 0.75  # part of the light from everywhere that a wall gets
_SHINE = 700.0  # the higher, the smaller the highlight
_SHINE_GREY = 170.0  # brightness of the highlight at gloss 1
_DOME = 0.12  # polished faces are a little round: the slope at half an edge from their middle
_CLEAR = 0.5  # part of the baize that shows through the middle of a translucent die
_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_TEXTURE_CORNERS = np.array(
    [(-0.5, -0.5), (TEXELS - 0.5, -0.5), (TEXELS - 0.5, TEXELS - 0.5), (-0.5, TEXELS - 0.5)], np.float32
)


class DrawnDie:
    """One die in its window, `_FINE` times finer: cover (0..1) and colour.

    Finer, because pips are a few pixels wide: jagged rims would be read differently from the soft ones of a camera.

    Lifetime: one die. Concurrency: one thread.
    """

    def __init__(self, canvas: Canvas, die: SimulatedDie, solid: Solid, outline: Real, window: Window) -> None:
        self._canvas = canvas
        self._die = die
        self._solid = solid
        self._window = window
        left, top, right, bottom = window
        self._shape = ((bottom - top) * _FINE, (right - left) * _FINE)
        self._size = (self._shape[1], self._shape[0])
        mask = np.zeros(self._shape, np.uint8)
        cv2.fillConvexPoly(mask, to_fixed_point(self._fine_points(outline)), 255, cv2.LINE_AA, BITS)
        self.cover: Real32 = np.asarray(mask / np.float32(255), np.float32)

    def colour(self) -> Real32:
        """Return the colour of the die as the camera sees it: (h, w, 3) float32 BGR, 0..255."""
        drawn, normals = self._faces()
        left, top, right, bottom = self._window
        bright = cv2.resize(self._canvas.bright[top:bottom, left:right], self._size).astype(np.float32) / LIT
        # Light that each place gets, relative to flat baize.
        light = self._canvas.light
        shade = light.ambient * (_SKY + (1 - _SKY) * normals[:, :, 2])
        for lamp, share in light.shares():
            towards = lamp.place_mm(self._canvas.layout) - self._solid.middle
            towards = towards / np.linalg.norm(towards)
            shade += share * np.maximum(normals @ towards.astype(np.float32), 0) / max(towards[2], 0.3)
        lit = drawn * np.asarray(shade, np.float32)[:, :, None]
        if self._die.look.gloss > 0:
            lit += _SHINE_GREY * self._die.look.gloss * self._shine(normals)[:, :, None]
        colour = np.asarray(lit * bright, np.float32)
        if self._die.look.material == "translucent":
            # The baize shows through, less towards the rim, where the way through the body is longer.
            below = cv2.resize(self._canvas.picture[top:bottom, left:right], self._size)
            stained = 1.5 * below * (0.35 + 0.65 * np.array(self._die.look.body[::-1], np.float32) / 255)
            clear = _CLEAR * np.clip(normals[:, :, 2], 0, 1)[:, :, None] ** 2
            rim = 0.8 + 0.2 * np.clip(normals[:, :, 2], 0, 1)[:, :, None]
            body = np.linalg.norm(colour - np.array(self._die.look.pip[::-1], np.float32), axis=2)[:, :, None]
            clear = clear * np.clip(body / 90 - 0.2, 0, 1)
            colour = np.asarray((colour + clear * (stained - colour)) * rim, np.float32)
        return np.asarray(np.minimum(colour, 255), np.float32)

    def _faces(self) -> tuple[Real32, Real32]:
        """Return the drawings on the faces that the camera sees, and the normals of the surface."""
        drawn = np.empty((*self._shape, 3), np.uint8)
        drawn[:] = self._die.look.body[::-1]
        normals, slopes = (np.zeros((*self._shape, 3), np.float32) for _ in range(2))
        pinhole = np.asarray(self._canvas.optics.pinhole_mm)
        facing = [(float(face.normal @ (pinhole - face.middle)), face) for face in self._solid.faces]
        if self._die.look.material == "translucent":
            for _, face in (pair for pair in facing if pair[0] <= 0):
                self._draw(face, drawn, normals, slopes)
            body = np.array(self._die.look.body[::-1], np.float32)
            faint = 0.3 * cv2.GaussianBlur(drawn, (0, 0), 1.5).astype(np.float32) + 0.7 * body
            drawn = faint.astype(np.uint8)
        for _, face in sorted((pair for pair in facing if pair[0] > 0), key=lambda pair: pair[0]):
            self._draw(face, drawn, normals, slopes)
        # Bend the normals over rounded edges and towards the silhouette, then add the slopes of hollows.
        scale = _FINE * px_per_mm(self._canvas.optics, self._solid.middle)
        soft = max(0.8, 0.45 * self._solid.radius_mm * scale)
        bent, cover = _soften(normals, soft), _soften(self.cover, soft)
        right, down = (cv2.Sobel(cover, cv2.CV_32F, *way, ksize=3) / 8 * soft for way in ((1, 0), (0, 1)))
        bent[:, :, 0] -= 1.6 * right
        bent[:, :, 1] -= 1.6 * down
        if self._die.look.drilled:
            bent += slopes
        return drawn.astype(np.float32), _unit(np.asarray(bent, np.float32))

    def _draw(self, face: Face, drawn: Pixels, normals: Real32, slopes: Real32) -> None:
        outline = self._seen(face.outline)
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, self._size)
        if (high <= low).any():
            return
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillConvexPoly(mask, to_fixed_point(outline - low), 255, cv2.LINE_8, BITS)
        skin = texture(self._die.look, self._die.look.faces[face.value - 1])
        square = np.array([face.middle + face.reach_mm * (a * face.across + b * face.along) for a, b in _SQUARE])
        warp = cv2.getPerspectiveTransform(_TEXTURE_CORNERS, (self._seen(square) - low).astype(np.float32))
        seen = cv2.warpPerspective(skin.colour, warp, size, borderMode=cv2.BORDER_REPLICATE)
        if self._die.look.material == "translucent":
            seen = cv2.addWeighted(seen, 0.8, drawn[part], 0.2, 0)
        inside = mask > 0
        drawn[part][inside] = seen[inside]
        normals[part][inside] = face.normal
        if skin.slope is not None:
            ways = np.array([face.across, face.along], np.float32)
            slopes[part][inside] = cv2.warpPerspective(skin.slope, warp, size)[inside] @ ways

    def _shine(self, normals: Real32) -> Real32:
        """Return the highlights of the lamps on polished, slightly round faces, after Blinn and Phong."""
        left, top, right, bottom = self._window
        height = self._solid.middle[2] + 0.5 * self._die.look.edge_mm
        corners = self._canvas.optics.lift(np.array([[left, top], [right, top], [left, bottom]], float), height)
        places = np.column_stack((corners, np.full(3, height)))
        round_ = _unit(normals + self._spread(_DOME / self._die.look.edge_mm * 2 * (places - self._solid.middle)))
        shine = np.zeros(self._shape, np.float32)
        for lamp, share in self._canvas.light.shares():
            aims = (lamp.place_mm(self._canvas.layout), np.asarray(self._canvas.optics.pinhole_mm))
            ways = [(aim - places) / np.linalg.norm(aim - places, axis=1, keepdims=True) for aim in aims]
            half = _unit(self._spread(ways[0] + ways[1]))
            facing = np.maximum(np.einsum("ijk,ijk->ij", round_, half), 0)
            shine += min(1.0, 2 * share) * facing ** (_SHINE / max(0.5, lamp.size_mm / 60))
        return shine

    def _spread(self, corners: Real) -> Real32:
        """Spread values at the upper left, upper right and lower left of the window (3, n) evenly over it."""
        origin, across, down = corners.astype(np.float32)
        x = np.linspace(0, 1, self._shape[1], dtype=np.float32)[None, :, None]
        y = np.linspace(0, 1, self._shape[0], dtype=np.float32)[:, None, None]
        return np.asarray(origin + x * (across - origin) + y * (down - origin), np.float32)

    def _seen(self, places: Real) -> Real:
        return self._fine_points(self._canvas.optics.project(places))

    def _fine_points(self, points: Real) -> Real:
        # The middle of a pixel is at whole numbers, coarse and fine alike.
        return np.asarray((points - self._window[:2] + 0.5) * _FINE - 0.5, np.float64)


def _soften(sheet: Real32, deviation: float) -> Real32:
    """Blur by this standard deviation: two box filters, whose cost does not depend on their width."""
    side = 2 * round(deviation * 1.2247) + 1
    return np.asarray(cv2.blur(cv2.blur(sheet, (side, side)), (side, side)), np.float32)


def _unit(vectors: Real32) -> Real32:
    length = np.sqrt(np.einsum("ijk,ijk->ij", vectors, vectors))
    return np.asarray(vectors / np.maximum(length, 1e-3)[:, :, None], np.float32)


_CONTACT = 0.3  # darkness of the baize under a die


def cast_shadow(canvas: Canvas, die: SimulatedDie) -> None:
    """Darken the baize where `die` blocks lamps and where it stands on it."""
    solid = solid_of(die)
    if die.lift_mm == 0:
        darken_foot(canvas, die)
    for lamp, share in canvas.light.shares():
        place = lamp.place_mm(canvas.layout)
        reach = lamp.height_mm / (lamp.height_mm - solid.core[:, 2:])
        ground = np.column_stack((place[:2] + (solid.core[:, :2] - place[:2]) * reach, np.zeros(len(solid.core))))
        soft = 0.35 + lamp.size_mm * die.look.edge_mm / lamp.height_mm / 3
        if die.look.material != "translucent":
            _shadow(canvas, ground, share, lamp.colour, solid.radius_mm, soft)
            continue
        # A translucent die stains the light, and gathers some in the middle of its shadow.
        red, green, blue = (1.0 - 0.75 * part / 255 for part in die.look.body)
        _shadow(canvas, ground, share, (red, green, blue), solid.radius_mm, soft)
        middle = ground.mean(axis=0)
        inner = middle + 0.35 * (ground - middle)
        red, green, blue = (-0.6 * part / 255 for part in die.look.body)
        _shadow(canvas, inner, share, (red, green, blue), 0.5, 1.2)


def darken_foot(canvas: Canvas, die: SimulatedDie) -> None:
    """Darken the ground around the foot of `die`."""
    solid = solid_of(die)
    low = solid.core[solid.core[:, 2] < die.lift_mm + solid.radius_mm + 2.0]
    foot = low * (1, 1, 0) + (0, 0, die.lift_mm)
    _shadow(canvas, foot, _CONTACT, (1, 1, 1), solid.radius_mm + 0.8, 1.0)


def _shadow(
    canvas: Canvas, ground: Real, depth: float, colour: tuple[float, float, float], grow_mm: float, soft_mm: float
) -> None:
    """Take `depth` of the light (less than 0 adds some) within the hull of `ground` (n, 3) grown by `grow_mm`."""
    scale = px_per_mm(canvas.optics, ground.mean(axis=0))
    outline = hull_of_circles(canvas.optics.project(ground), np.full(len(ground), grow_mm * scale))
    soft_px = soft_mm * scale
    where = window(outline, int(2.5 * soft_px) + 2, canvas.picture)
    if where is None:
        return
    left, top, right, bottom = where
    mask = np.zeros((bottom - top, right - left), np.float32)
    cv2.fillConvexPoly(mask, to_fixed_point(outline - (left, top)), 1.0, cv2.LINE_8, BITS)
    soft = cv2.GaussianBlur(mask, (0, 0), soft_px)
    part = canvas.picture[top:bottom, left:right]
    taken = 1 - depth * soft[:, :, None] * np.array(colour[::-1], np.float32)
    part[:] = np.clip(part * taken, 0, 255).astype(np.uint8)


def paint_dice(canvas: Canvas, dice: Sequence[SimulatedDie], smears_px: Sequence[float] = ()) -> None:
    """Draw dice with their shadows. `smears_px` blurs each of them (standard deviation in px); empty: none."""
    smears = smears_px or [0.0] * len(dice)
    for die in dice:
        cast_shadow(canvas, die)
    # Lower dice come first, then those farther from the foot of the camera: they may be hidden, but never hide another.
    x, y, _ = canvas.optics.pinhole_mm
    order = [(die.lift_mm, -((die.x_mm - x) ** 2 + (die.y_mm - y) ** 2), index) for index, die in enumerate(dice)]
    for _, _, index in sorted(order):
        die, smear_px, solid = dice[index], smears[index], solid_of(dice[index])
        outline = silhouette(solid, canvas.optics)
        where = window(outline, int(3 * smear_px) + 2, canvas.picture)
        if where is None:
            continue
        left, top, right, bottom = where
        if die.lift_mm > 0:
            darken_foot(canvas, die)
        drawn, size = DrawnDie(canvas, die, solid, outline, where), (right - left, bottom - top)
        colour, alpha = (
            cv2.resize(sheet, size, interpolation=cv2.INTER_AREA) for sheet in (drawn.colour(), drawn.cover)
        )
        if smear_px > 0:
            colour, alpha = (cv2.GaussianBlur(sheet, (0, 0), smear_px) for sheet in (colour, alpha))
        part = canvas.picture[top:bottom, left:right]
        part[:] = np.clip(part + alpha[:, :, None] * (colour - part), 0, 255).astype(np.uint8)
