"""Draws what lies about on tables and may pass for a die: keys, magnets, screws, labels, cables, plugs, grilles."""

import math
import random

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import Colour
from tools.scenes import looks
from vision.capture.frame import Pixels

_FINE = 4  # all is drawn so many times larger, then averaged down
_SIGNS = "ABCDEFGHKLMNPRSTUVWXZ0123456789<>+-=/*#@&?"
_WORDS = ("fn", "ctrl", "shift", "esc", "tab", "alt", "cmd", "enter", "home", "GT2.0", "12V", "CE", "USB", "OK")
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_PLAIN)

Edge = tuple[float, float]
"""Of a key: how much farther its foot reaches than its top, in px, and the foot's brightness as a part of the top's."""


def clutter(rng: random.Random, side: int) -> Pixels:
    """A square of clutter, turned and a little soft: (side, side, 3)."""
    drawn = rng.choice(_KINDS)(rng, 2 * side * _FINE)
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
    corner, edge = rng.random() < 0.5, (rng.uniform(0.04, 0.16) * pitch, rng.uniform(0.5, 1.5))
    for row in range(math.ceil(side / pitch) + 2):
        shift = rng.uniform(0, pitch)
        for column in range(math.ceil(side / pitch) + 2):
            x, y = left + column * pitch - shift, top + row * pitch
            _key(drawn, (x, y, pitch - gap), round_px, body, edge)
            off = (0.1, 0.85) if corner else (0.3, 0.65)
            _write(rng, drawn, (x + off[0] * pitch, y + off[1] * (pitch - gap)), rng.uniform(0.15, 0.45) * pitch, ink)
    return drawn


def _key(drawn: Pixels, box: tuple[float, float, float], round_px: float, body: Colour, edge: Edge) -> None:
    """A key cap at (x, y) of this side, in px: its top is smaller than its foot, which is darker or lighter."""
    x, y, side = box
    rim, shade = edge
    _plate(drawn, (x, y, x + side, y + side), round_px, _shaded(body, shade))
    _plate(drawn, (x + rim, y + rim / 2, x + side - rim, y + side - 1.5 * rim), round_px, body)


def _shaded(tint: Colour, share: float) -> Colour:
    red, green, blue = (min(255, round(part * share)) for part in tint)
    return red, green, blue


def _plates(rng: random.Random, side: int) -> Pixels:
    """One round plate or several: a magnet, a button, a screw, a coin without its face."""
    drawn = _ground(rng, side)
    tint = looks.colour(rng, (0, 1), (0, 0.3 if rng.random() < 0.7 else 0.9), (0.1, 0.9))
    radius = rng.uniform(0.1, 0.24) * side
    near = np.full(2, side / 2) + np.array([rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1)]) * side
    for number in range(rng.choice((1, 1, 1, 2, 4))):
        turn, away = rng.uniform(0, 2 * math.pi), 0 if number == 0 else radius * rng.uniform(1.8, 2.6)
        _round(rng, drawn, near + away * np.array([math.cos(turn), math.sin(turn)]), radius, tint)
    return drawn


def _round(rng: random.Random, drawn: Pixels, middle: NDArray[np.float64], radius: float, tint: Colour) -> None:
    """A plate seen a little from aside, with its wall, a rim, a slot and the lamp in it, or without."""
    aside = rng.uniform(0, 0.7) * radius * rng.choice((0, 1))
    lean = np.array([0.0, aside])
    for step in np.linspace(1, 0, 12):
        cv2.circle(drawn, _at(middle + step * lean), round(radius), _shaded(tint, 0.6), -1, cv2.LINE_AA)
    cv2.circle(drawn, _at(middle), round(radius), tint, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        inner, wide = round(radius * rng.uniform(0.5, 0.95)), rng.choice((2, 4, 8))
        cv2.circle(drawn, _at(middle), inner, _shaded(tint, rng.uniform(0.4, 1.6)), wide, cv2.LINE_AA)
    if rng.random() < 0.3:
        turn, long = rng.uniform(0, math.pi), rng.uniform(0.3, 0.8) * radius
        for quarter in range(rng.choice((1, 2))):
            along = long * np.array([math.cos(turn + quarter * math.pi / 2), math.sin(turn + quarter * math.pi / 2)])
            wide = max(2, round(0.12 * radius))
            cv2.line(drawn, _at(middle - along), _at(middle + along), _shaded(tint, 0.35), wide, cv2.LINE_AA)
    if rng.random() < 0.4:
        off = np.array([rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6)]) * radius
        size = round(rng.uniform(0.1, 0.45) * radius), round(rng.uniform(0.05, 0.3) * radius)
        cv2.ellipse(drawn, _at(middle + off), size, rng.uniform(0, 180), 0, 360, (250, 250, 250), -1, cv2.LINE_AA)


def _at(place: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))


def _cables(rng: random.Random, side: int) -> Pixels:
    """One cable or two, bent, lighter along the middle."""
    drawn = _ground(rng, side)
    for _ in range(rng.choice((1, 1, 2))):
        tint = looks.colour(rng, (0, 1), (0, 0.3 if rng.random() < 0.8 else 0.9), (0.03, 0.95))
        wide, bend, turn = rng.uniform(0.04, 0.14) * side, rng.uniform(-1.5, 1.5), rng.uniform(0, 2 * math.pi)
        along = np.linspace(-1.2, 1.2, 40)
        across = bend * (along**2 - 0.2) + rng.uniform(-0.2, 0.2) + rng.uniform(-0.4, 0.4) * along**3
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        line = np.round(side / 2 * (1 + np.column_stack((along, across)) @ spin)).astype(np.int32)
        for share, shade in ((1.0, 0.6), (0.8, 0.85), (0.5, 1.0), (0.15, rng.uniform(1.0, 1.6))):
            cv2.polylines(drawn, [line], False, _shaded(tint, shade), max(1, round(share * wide)), cv2.LINE_AA)
    return drawn


def _plugs(rng: random.Random, side: int) -> Pixels:
    """A plug or a small box: a block, its front, with slots, pins or a socket."""
    drawn, (body, ink) = _ground(rng, side), _two(rng)
    wide, tall = rng.uniform(0.15, 0.5) * side, rng.uniform(0.12, 0.35) * side
    x, y = (rng.uniform(0.3, 0.5) * side for _ in range(2))
    round_px, front = rng.uniform(0, 0.15) * tall, rng.uniform(0, 0.5) * tall
    _plate(drawn, (x, y, x + wide, y + tall + front), round_px, _shaded(body, rng.uniform(0.4, 0.9)))
    _plate(drawn, (x, y, x + wide, y + tall), round_px, body)
    count = rng.choice((0, 0, 0, 1, 2, 3, 5))
    for number in range(count):
        left, high = x + (number + 0.3) * wide / count, rng.uniform(0.1, 0.7) * tall
        top = y + rng.uniform(0.1, 0.9) * (tall - high)
        _plate(drawn, (left, top, left + 0.4 * wide / count, top + high), rng.choice((0.0, 2.0)), ink)
    return drawn


def _strips(rng: random.Random, side: int) -> Pixels:
    """The end of a plain strip or the corner of a plain sheet, and perhaps something else that lies beside it."""
    drawn = _ground(rng, side)
    for _ in range(rng.choice((1, 1, 2))):
        tint = looks.colour(rng, (0, 1), (0, 0.25 if rng.random() < 0.8 else 0.9), (0.03, 1.0))
        x, y = (rng.uniform(0.3, 0.6) * side for _ in range(2))
        wide = rng.uniform(0.12, 0.7) * side
        _plate(drawn, (x, y, x + wide, side), rng.uniform(0, 0.03) * side, tint)
    return drawn


def _perforations(rng: random.Random, side: int) -> Pixels:
    """A sheet with holes or studs in rows that go on: a grille, a circuit board, a brick, a sole."""
    drawn, (sheet, hole) = _ground(rng, side), _two(rng)
    drawn[:] = sheet
    pitch = rng.uniform(0.05, 0.16) * side
    radius, shift = rng.uniform(0.15, 0.42) * pitch, rng.choice((0.0, 0.5))
    for row in range(math.ceil(side / pitch) + 1):
        for column in range(math.ceil(side / pitch) + 1):
            place = np.array([(column + shift * (row % 2)) * pitch, row * pitch])
            cv2.circle(drawn, _at(place), max(1, round(radius)), hole, -1, cv2.LINE_AA)
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


_KINDS = (_keys, _keys, _plates, _plates, _labels, _cables, _plugs, _plugs, _strips, _perforations)
