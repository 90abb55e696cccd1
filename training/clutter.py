"""Draws what lies about on tables and may pass for a die: keys of a keyboard, round plates, printed labels."""

import math
import random

import cv2
import numpy as np

from hardware.sim import Colour
from vision.capture.frame import Pixels
from vision.sim import looks

_FINE = 4  # all is drawn so many times larger, then averaged down
_SIGNS = "ABCDEFGHKLMNPRSTUVWXZ0123456789<>+-=/*#@&?"
_WORDS = ("fn", "ctrl", "shift", "esc", "tab", "alt", "cmd", "enter", "home", "GT2.0", "12V", "CE", "USB", "OK")
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_PLAIN)


def clutter(rng: random.Random, side: int) -> Pixels:
    """A square of clutter, turned and a little soft: (side, side, 3)."""
    drawn = rng.choice((_keys, _keys, _plates, _labels))(rng, 2 * side * _FINE)
    spin = cv2.getRotationMatrix2D((side * _FINE, side * _FINE), rng.uniform(0, 360), rng.uniform(0.8, 1.6))
    turned = cv2.warpAffine(drawn, spin, drawn.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
    cut = side * _FINE // 2
    middle = turned[cut : cut + side * _FINE, cut : cut + side * _FINE]
    lit = middle * np.linspace(rng.uniform(0.7, 1.0), 1.0, side * _FINE)[:, None, None]
    small = cv2.resize(lit.astype(np.uint8), (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 1.1)), np.uint8)


def _two(rng: random.Random) -> tuple[Colour, Colour]:
    """A dark colour and a light one, either first."""
    dark = looks.colour(rng, (0, 1), (0, 0.5), (0.03, 0.3))
    light = looks.colour(rng, (0, 1), (0, 0.3), (0.5, 1.0))
    return (dark, light) if rng.random() < 0.7 else (light, dark)


def _ground(rng: random.Random, side: int) -> Pixels:
    drawn = np.empty((side, side, 3), np.uint8)
    drawn[:] = looks.colour(rng, (0, 1), (0, 0.4), (0.2, 0.95))
    return drawn


def _keys(rng: random.Random, side: int) -> Pixels:
    """Rows of keys with a sign or a word on each, in a corner or in the middle."""
    drawn, (body, ink) = _ground(rng, side), _two(rng)
    pitch = rng.uniform(0.3, 0.6) * side
    gap, round_px = rng.uniform(0.05, 0.2) * pitch, rng.uniform(0.02, 0.2) * pitch
    left, top = (rng.uniform(-pitch, 0) for _ in range(2))
    corner = rng.random() < 0.5
    for row in range(math.ceil(side / pitch) + 2):
        shift = rng.uniform(0, pitch)
        for column in range(math.ceil(side / pitch) + 2):
            x, y = left + column * pitch - shift, top + row * pitch
            _plate(drawn, (x, y, x + pitch - gap, y + pitch - gap), round_px, body)
            off = (0.1, 0.85) if corner else (0.3, 0.65)
            _write(rng, drawn, (x + off[0] * pitch, y + off[1] * (pitch - gap)), rng.uniform(0.15, 0.45) * pitch, ink)
    return drawn


def _plates(rng: random.Random, side: int) -> Pixels:
    """A round plate, plain or with a rim: a magnet, a button, a coin without its face."""
    drawn = _ground(rng, side)
    middle = tuple(round(side / 2 + rng.uniform(-0.1, 0.1) * side) for _ in range(2))
    radius = round(rng.uniform(0.1, 0.24) * side)
    tint = looks.colour(rng, (0, 1), (0, 0.3 if rng.random() < 0.7 else 0.9), (0.1, 0.9))
    cv2.circle(drawn, middle, radius, tint, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        shade = tuple(round(part * rng.uniform(0.5, 1.0)) for part in tint)
        cv2.circle(drawn, middle, round(radius * rng.uniform(0.6, 0.95)), shade, rng.choice((2, 4, 8)), cv2.LINE_AA)
    return drawn


def _labels(rng: random.Random, side: int) -> Pixels:
    """A label with lines of print, and its edge."""
    drawn, (ink, paper) = _ground(rng, side), _two(rng)
    x, y = (rng.uniform(-0.3, 0.4) * side for _ in range(2))
    _plate(drawn, (x, y, x + rng.uniform(0.4, 1.2) * side, y + rng.uniform(0.3, 0.9) * side), 0.03 * side, paper)
    tall = rng.uniform(0.05, 0.25) * side
    for line in range(rng.randint(1, 4)):
        _write(rng, drawn, (x + 0.08 * side, y + (1.3 * line + 1.2) * tall), tall, ink, words=3)
    return drawn


def _plate(drawn: Pixels, box: tuple[float, float, float, float], round_px: float, tint: Colour) -> None:
    left, top, right, bottom = (round(part) for part in box)
    radius = round(round_px)
    inner = (left + radius, top + radius), (right - radius, bottom - radius)
    cv2.rectangle(drawn, *inner, tint, -1)
    cv2.rectangle(drawn, *inner, tint, 2 * radius + 1)


def _write(
    rng: random.Random, drawn: Pixels, at: tuple[float, float], tall: float, ink: Colour, words: int = 1
) -> None:
    text = " ".join(rng.choice(_WORDS) if rng.random() < 0.5 else rng.choice(_SIGNS) for _ in range(words))
    thick = max(1, round(rng.uniform(0.06, 0.16) * tall))
    cv2.putText(drawn, text, (round(at[0]), round(at[1])), rng.choice(_FONTS), tall / 24, ink, thick, cv2.LINE_AA)
