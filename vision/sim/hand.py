"""A hand over the field: forearm, palm and fingers as rounded rods whose heights are joined into one surface."""

import math
from dataclasses import dataclass

import numpy as np

from hardware.sim.dice import Colour
from vision.capture.arrays import Real, Real32
from vision.libraries import cv2
from vision.sim.canvas import Canvas
from vision.sim.table import LIT

_COARSE = 2  # a hand is soft: it is drawn this many times coarser, then enlarged

# Rods of a right hand that reaches along +x, tip of the middle finger at the origin, in mm of a hand of size 1:
# from (x, y, height) and radius to (x, y, height) and radius. Heights are above those of the finger tips.
_PALM = (
    ((-185.0, 4.0, 42.0), 25.0, (-92.0, 26.0, 38.0), 13.0),
    ((-185.0, 0.0, 42.0), 25.0, (-82.0, 6.0, 42.0), 13.0),
    ((-185.0, -4.0, 42.0), 25.0, (-86.0, -14.0, 40.0), 13.0),
    ((-185.0, -8.0, 42.0), 24.0, (-94.0, -32.0, 34.0), 12.0),
)
_FINGERS = (
    ((-92.0, 26.0, 38.0), 11.0, (-46.0, 31.0, 26.0), 9.5, (-8.0, 27.0, 4.0), 7.5),
    ((-82.0, 6.0, 42.0), 11.0, (-38.0, 6.0, 30.0), 9.5, (0.0, 2.0, 4.0), 7.8),
    ((-86.0, -14.0, 40.0), 10.5, (-44.0, -18.0, 27.0), 9.0, (-6.0, -20.0, 4.0), 7.4),
    ((-94.0, -32.0, 34.0), 9.5, (-60.0, -41.0, 22.0), 8.0, (-30.0, -43.0, 4.0), 6.5),
    ((-150.0, 24.0, 34.0), 15.0, (-105.0, 55.0, 24.0), 11.0, (-70.0, 58.0, 12.0), 8.8),
)
_ARM = ((-430.0, -8.0, 80.0), 45.0, (-185.0, 0.0, 44.0), 28.0)
_CUFF_MM = -235.0  # the sleeve begins here


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that reaches in; `x_mm`, `y_mm` is the tip of the middle finger."""

    x_mm: float
    y_mm: float
    towards_rad: float  # direction in which it points
    size: float = 1.0  # 1 for an adult
    mirrored: bool = False  # a left hand
    skin: Colour = (214, 160, 132)  # (red, green, blue)
    sleeve: Colour = (60, 70, 96)
    high_mm: float = 12.0  # height of the finger tips


def paint_hand(canvas: Canvas, hand: Hand) -> None:
    """Draw a hand over everything else, and its shadow."""
    height, width = canvas.picture.shape[:2]
    shape = (height // _COARSE, width // _COARSE)
    surface, along = _surface(canvas, hand, shape)
    cover = np.clip(surface / 3.0, 0, 1)
    size = (width, height)
    # The soft shadow has the shape of the hand, moved away from each lamp.
    middle = np.array([hand.x_mm, hand.y_mm, 0.0])
    for lamp, share in canvas.light.shares():
        away = middle - lamp.place_mm(canvas.layout)
        fall = middle + (hand.high_mm + 22) / lamp.height_mm * away * (1, 1, 0)
        one, other = canvas.optics.project(np.array([middle, fall])) / _COARSE
        moved = np.array([[1, 0, other[0] - one[0]], [0, 1, other[1] - one[1]]])
        shadow = cv2.warpAffine(cover, moved, cover.shape[::-1])
        soft = cv2.GaussianBlur(shadow, (0, 0), 2.0 + 25 * lamp.size_mm / lamp.height_mm)
        canvas.picture[:] = (canvas.picture * (1 - share * cv2.resize(soft, size))[:, :, None]).astype(np.uint8)
    colour = cv2.resize(_colour(canvas, hand, surface, along), size, interpolation=cv2.INTER_LINEAR)
    alpha = cv2.GaussianBlur(cv2.resize(cover, size, interpolation=cv2.INTER_LINEAR), (0, 0), 1.0)[:, :, None]
    canvas.picture[:] = np.clip(canvas.picture + alpha * (colour - canvas.picture), 0, 255).astype(np.uint8)


def _at(hand: Hand, place: tuple[float, float, float]) -> Real:
    x, y, up = (hand.size * part for part in place)
    y = -y if hand.mirrored else y
    cosine, sine = math.cos(hand.towards_rad), math.sin(hand.towards_rad)
    return np.array([hand.x_mm + x * cosine - y * sine, hand.y_mm + x * sine + y * cosine, hand.high_mm + up])


def _surface(canvas: Canvas, hand: Hand, shape: tuple[int, int]) -> tuple[Real32, Real32]:
    """Return the height of the hand over its lowest rim at each pixel (coarse px), and the place along the arm (mm)."""
    surface, along = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    rods = [*_PALM, _ARM]
    for root, root_r, joint, joint_r, tip, tip_r in _FINGERS:
        rods += [(root, root_r, joint, joint_r), (joint, joint_r, tip, tip_r)]
    for start, start_r, end, end_r in rods:
        one, r_one, other, r_other = _at(hand, start), hand.size * start_r, _at(hand, end), hand.size * end_r
        ends = canvas.optics.project(np.array([one, other])) / _COARSE
        scale = float(np.linalg.norm(ends[1] - ends[0])) / max(1.0, float(np.linalg.norm((other - one)[:2])))
        radii = np.array([r_one, r_other]) * scale
        low = np.clip(np.floor((ends - radii[:, None]).min(axis=0)).astype(int), 0, (shape[1], shape[0]))
        high = np.clip(np.ceil((ends + radii[:, None]).max(axis=0)).astype(int) + 1, 0, (shape[1], shape[0]))
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        x, y = np.meshgrid(np.arange(low[0], high[0], dtype=np.float32), np.arange(low[1], high[1], dtype=np.float32))
        way = ends[1] - ends[0]
        share = np.clip(((x - ends[0, 0]) * way[0] + (y - ends[0, 1]) * way[1]) / (way @ way), 0, 1)
        radius = radii[0] + share * (radii[1] - radii[0])
        far = np.hypot(x - ends[0, 0] - share * way[0], y - ends[0, 1] - share * way[1]) / radius
        middle = (one[2] + share * (other[2] - one[2]) - hand.high_mm) * scale
        bulge = np.where(far < 1, radius * np.sqrt(np.maximum(1 - far * far, 0)) + 0.6 * middle + 3, 0)
        nearer = bulge > surface[part]
        surface[part] = np.where(nearer, bulge, surface[part])
        place = (one + share[..., None] * (other - one))[..., :2] - (hand.x_mm, hand.y_mm)
        reach = (place[..., 0] * math.cos(hand.towards_rad) + place[..., 1] * math.sin(hand.towards_rad)) / hand.size
        along[part] = np.where(nearer, reach, along[part])
    return surface, along


def _colour(canvas: Canvas, hand: Hand, surface: Real32, along: Real32) -> Real32:
    """Return skin and sleeve in the light, (h, w, 3) BGR, coarse."""
    cloth = along < _CUFF_MM
    smooth = cv2.GaussianBlur(surface, (0, 0), 2.2)
    right, down = (cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
    length = np.sqrt(right * right + down * down + 1)
    shade = canvas.light.ambient * (0.6 + 0.4 / length)
    for lamp, share in canvas.light.shares():
        towards = lamp.place_mm(canvas.layout) - (hand.x_mm, hand.y_mm, 40.0)
        towards = towards / np.linalg.norm(towards)
        shade += share * np.maximum((-right * towards[0] - down * towards[1] + towards[2]) / length, 0) / towards[2]
    # Skin is redder at the finger tips and the knuckles, and slightly uneven.
    noise = np.random.default_rng(7).standard_normal((surface.shape[0] // 6, surface.shape[1] // 6)).astype(np.float32)
    uneven = cv2.resize(cv2.GaussianBlur(noise, (0, 0), 1.2), (surface.shape[1], surface.shape[0]))
    red = (
        np.exp(-((along / 14) ** 2))
        + 0.7 * np.exp(-(((along + 86) / 10) ** 2))
        + 0.5 * np.exp(-(((along + 42) / 6) ** 2))
    )
    tint = red[:, :, None] * np.array((-0.13, -0.1, 0.0), np.float32)
    skin: Real32 = np.array(hand.skin[::-1], np.float32) * (1 + tint + 0.05 * uneven[:, :, None])
    skin[cloth] = np.array(hand.sleeve[::-1], np.float32)
    bright = cv2.resize(canvas.bright, surface.shape[::-1]).astype(np.float32) / LIT
    return np.asarray(np.minimum(skin * shade[:, :, None] * bright, 255), np.float32)
