"""Draws the faces of dice, each once as a texture: pips, numerals, symbols."""

import math
import random
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import Colour, DieLook
from vision.capture.arrays import Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.sim.canvas import BITS

TEXELS = 112  # edge of a texture
ASIAN_RED: Colour = (200, 22, 26)
_BIG_ONE = 1.75  # size of the 1 of an Asian die
_HOLLOW = 0.9  # slope of a drilled pip at its rim
PIP_PLACES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_STAR = tuple(
    ((0.62, 0.26)[step % 2] * math.sin(step * math.pi / 5), (-0.62, -0.26)[step % 2] * math.cos(step * math.pi / 5))
    for step in range(10)
)
# Outlines in parts of half the edge of a face, x to the right and y down.
SYMBOLS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "boat": (
        ((-0.62, 0.18), (0.62, 0.18), (0.38, 0.52), (-0.38, 0.52)),
        ((-0.04, -0.6), (0.06, -0.6), (0.06, 0.1), (-0.04, 0.1)),
        ((0.12, -0.5), (0.5, 0.08), (0.12, 0.08)),
    ),
    "bolt": (((0.12, -0.65), (-0.42, 0.1), (-0.06, 0.1), (-0.16, 0.65), (0.42, -0.14), (0.04, -0.14)),),
    "star": (_STAR,),
    "arrow": (((0.0, -0.62), (0.5, -0.06), (0.18, -0.06), (0.18, 0.6), (-0.18, 0.6), (-0.18, -0.06), (-0.5, -0.06)),),
    "cross": (
        ((-0.16, -0.58), (0.16, -0.58), (0.16, 0.58), (-0.16, 0.58)),
        ((-0.58, -0.16), (0.58, -0.16), (0.58, 0.16), (-0.58, 0.16)),
    ),
    "ring": (),
    "blank": (),
}


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """A face as it is drawn. The slope is that of the surface: the wall of a hollow faces its middle."""

    colour: Pixels  # (TEXELS, TEXELS, 3)
    slope: Real32 | None  # to the right and down (TEXELS, TEXELS, 2); None where nothing is hollowed


@lru_cache(maxsize=1024)
def texture(look: DieLook, drawing: str) -> Texture:
    """Draw the face of `look` with `drawing`, named as in `DieLook.faces`. Raises `ValueError` for an unknown one."""
    ink = _ink(look, drawing)
    colour = look.pip if not (look.asian and drawing in ("pip:1", "pip:4")) else ASIAN_RED
    body = np.full((TEXELS, TEXELS, 3), look.body[::-1], np.float32)
    if look.material == "marbled":
        seeds = np.random.default_rng(random.Random(f"{look.body}/{look.second}/{drawing}").getrandbits(32))
        coarse = seeds.normal(0, 1, (7, 7)) + np.cumsum(seeds.normal(0, 0.5, (7, 7)), axis=1)
        veins = np.sin(3 * cv2.resize(coarse.astype(np.float32), (TEXELS, TEXELS), interpolation=cv2.INTER_CUBIC))
        share = np.asarray(0.42 * np.clip(veins, 0, 1) ** 2, np.float32)[:, :, None]
        body = np.asarray(body + share * (np.array(look.second[::-1], np.float32) - body), np.float32)
    cover = (ink.astype(np.float32) / 255)[:, :, None]
    drawn = body + cover * (np.array(colour[::-1], np.float32) - body)
    if not look.drilled:
        return Texture(drawn.astype(np.uint8), None)
    soft = cv2.GaussianBlur(ink.astype(np.float32) / 255, (0, 0), 0.45 * look.pip_radius * TEXELS)
    reach = look.pip_radius * TEXELS
    right, down = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) / 8 * reach for way in ((1, 0), (0, 1)))
    inside = (ink > 0).astype(np.float32)
    slope = np.asarray(_HOLLOW * np.dstack((right * inside, down * inside)), np.float32)
    shade = np.asarray(1 - 0.28 * soft * inside, np.float32)
    return Texture((drawn * shade[:, :, None]).astype(np.uint8), slope)


def _ink(look: DieLook, drawing: str) -> NDArray[np.uint8]:
    """Return the mask of the paint on the face: (TEXELS, TEXELS), 0..255."""
    ink = np.zeros((TEXELS, TEXELS), np.uint8)
    kind, _, what = drawing.partition(":")
    if kind == "pip" and what in "123456":
        radius = look.pip_radius * (_BIG_ONE if look.asian and what == "1" else 1.0)
        for column, row in PIP_PLACES[int(what)]:
            along = look.six_pitch if what == "6" else look.pitch
            middle = ((0.5 + look.pitch * column) * TEXELS - 0.5, (0.5 + along * row) * TEXELS - 0.5)
            place = (round(middle[0] * 2**BITS), round(middle[1] * 2**BITS))
            cv2.circle(ink, place, round(radius * TEXELS * 2**BITS), 255, -1, cv2.LINE_AA, BITS)
    elif kind == "numeral" and what.rstrip("._").isdigit():
        _numeral(ink, what, 0.48 if look.sides == 20 else 0.8)
    elif drawing in SYMBOLS:
        if drawing == "ring":
            middle_px = (TEXELS // 2, TEXELS // 2)
            cv2.circle(ink, middle_px, round(0.24 * TEXELS), 255, round(0.1 * TEXELS), cv2.LINE_AA)
        for outline in SYMBOLS[drawing]:
            points = np.round((np.array(outline) / 2 + 0.5) * TEXELS * 2**BITS).astype(np.int32)
            cv2.fillPoly(ink, [points], 255, cv2.LINE_AA, BITS)
    else:
        raise ValueError(f"no drawing {drawing!r}: pip:1..6, numeral:N, {', '.join(SYMBOLS)} are known")
    return ink


def _numeral(ink: NDArray[np.uint8], what: str, height: float) -> None:
    """Write a number `height` (part of the edge of the face) tall; a dot or a line tells 6 from 9."""
    text = what.rstrip("._")
    font, thick = cv2.FONT_HERSHEY_DUPLEX, max(3, round(0.13 * height * TEXELS))
    (_, tall), _ = cv2.getTextSize("8", font, 1.0, 1)
    scale = (0.78 * height * TEXELS - thick) / tall * (0.9 if len(text) == 1 else 0.72)
    (wide, high), _ = cv2.getTextSize(text, font, scale, 1)
    left, base = round((TEXELS - wide) / 2), round((TEXELS + high) / 2)
    cv2.putText(ink, text, (left, base), font, scale, 255, thick, cv2.LINE_AA)
    below = base + round(1.6 * thick)
    if what.endswith("_"):
        cv2.line(ink, (left, below), (left + wide, below), 255, max(2, thick // 2), cv2.LINE_AA)
    elif what.endswith("."):
        cv2.circle(ink, (left + wide + thick, base), max(3, round(0.7 * thick)), 255, -1, cv2.LINE_AA)
