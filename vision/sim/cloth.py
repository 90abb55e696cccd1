"""The baize under the dice: felt, weave, speckle, leather, stripes, as shades of light and dark that are dyed."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import Colour
from vision.capture.arrays import Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2

Kind = Literal["felt", "weave", "speckle", "leather", "stripes", "plain"]
Shades = NDArray[np.uint8]
_GREY = 128  # the middle of shades; 64 more is twice as bright at grain 1


@dataclass(frozen=True, slots=True)
class Cloth:
    """The baize, and the wood around it."""

    kind: Kind = "felt"
    colour: Colour = (38, 110, 68)  # (red, green, blue)
    grain: float = 0.25  # 0..1: how marked the texture is
    second: Colour = (60, 140, 96)  # of stripes and specks
    surround: Colour = (118, 86, 58)  # wood around the field
    rim: Colour = (84, 58, 38)  # edge of the tray
    variant: int = 0  # picks one of a few pieces of the same cloth


def lay_cloth(cloth: Cloth, size: tuple[int, int]) -> Pixels:
    """Return a piece of cloth of width and height `size` in texels of a third of a millimetre: (h, w, 3) BGR."""
    piece = dye(shades_of(cloth.kind, cloth.variant, size), cloth.colour, cloth.grain)
    if cloth.kind in ("stripes", "speckle"):
        other = dye(shades_of("plain", cloth.variant, size), cloth.second, cloth.grain)
        cv2.copyTo(other, _pattern(cloth.kind, cloth.variant, size), piece)
    return piece


def dye(grey: Shades, colour: Colour, grain: float) -> Pixels:
    """Dye shades (h, w) in a colour: (h, w, 3) BGR."""
    gain = 1 + grain * (np.arange(256) - _GREY) / 64
    tables = [np.clip(part * gain, 0, 255).astype(np.uint8) for part in colour[::-1]]
    return np.asarray(cv2.merge([cv2.LUT(grey, table) for table in tables]), np.uint8)


@lru_cache(maxsize=40)
def shades_of(kind: Kind | Literal["wood"], variant: int, size: tuple[int, int]) -> Shades:
    """Return light and dark of a cloth: (h, w), 128 in the middle."""
    noise = np.random.default_rng([variant, len(kind), ord(kind[0])])
    cloud = cv2.resize(noise.normal(0, 0.1, (9, 14)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    match kind:
        case "weave" | "stripes":
            x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
            wander = cv2.GaussianBlur(_white(noise, size), (0, 0), 9) * 14
            threads = np.sin(2.1 * x + wander) * np.sin(1.05 * y) + 0.5 * np.sin(2.1 * y + wander)
            marks = 0.4 * threads + 0.4 * cv2.GaussianBlur(_white(noise, size), (0, 0), 0.8)
        case "leather":
            cells = cv2.GaussianBlur(_white(noise, size), (0, 0), 3.2) * 11
            creases = np.exp(-((cells / 0.35) ** 2))
            marks = 0.25 * cells - 0.7 * creases + 0.25 * _white(noise, size) * 0.3
        case "wood":
            rings = cv2.GaussianBlur(_white(noise, (size[0] // 8, size[1])), (0, 0), 30, sigmaY=6) * 28
            grown = cv2.resize(rings, size)
            bands = np.sin(9 * grown) + 0.4 * np.sin(31 * grown)
            pores = cv2.GaussianBlur(_white(noise, size), (0, 0), 11, sigmaY=0.6) * 2.4
            marks = 0.3 * bands + 0.3 * pores + 0.06 * _white(noise, size)
        case _:
            fine = cv2.GaussianBlur(_white(noise, size), (0, 0), 0.8)
            fibres = cv2.GaussianBlur(_white(noise, size), (0, 0), 3, sigmaY=0.7)
            across = cv2.GaussianBlur(_white(noise, size), (0, 0), 0.7, sigmaY=3)
            marks = 0.55 * fine + 0.6 * (fibres + across)
    return np.asarray(np.clip(_GREY + 64 * (np.asarray(marks, np.float32) + cloud), 0, 255), np.uint8)


def _white(noise: "np.random.Generator", size: tuple[int, int]) -> Real32:
    return np.asarray(noise.standard_normal((size[1], size[0]), np.float32), np.float32)


@lru_cache(maxsize=12)
def _pattern(kind: Kind, variant: int, size: tuple[int, int]) -> Shades:
    """Return the mask of the second colour: (h, w), 0 or 255."""
    noise = np.random.default_rng([variant, 77])
    if kind == "speckle":
        spots = cv2.GaussianBlur(_white(noise, size), (0, 0), 1.3)
        return np.asarray(np.where(spots > 0.55, 255, 0), np.uint8)
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    turn, pitch = noise.uniform(0, np.pi), noise.uniform(36, 110)
    lines = (x * np.cos(turn) + y * np.sin(turn)) % pitch < pitch * noise.uniform(0.2, 0.5)
    return np.asarray(np.where(lines, 255, 0), np.uint8)
