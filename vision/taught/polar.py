"""Compares a round patch with known ones over all turns at once, by spectra: along a ring a turn is a shift.

The correlation over all shifts is a product of Fourier transforms (correlation theorem). Scores are normalised
correlations: 1 for the same drawing whatever its brightness and contrast, 0 for no likeness.
"""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.libraries import cv2

TURNS = 72  # five degrees apart; `compare` interpolates finer ones
_RINGS = 11
_INNER = 0.09  # the innermost ring, as a part of the radius
_FLAT = 1e-6
_MOST = 1500  # places at once: remap of OpenCV takes fewer than 32768 rows

Real32 = NDArray[np.float32]
Spectra = NDArray[np.complex64]
Real = NDArray[np.float64]
Places = Real


def rings_at(picture: Real32, places: Places, radius_px: float) -> Spectra:
    """Return the spectra (n, rings, frequencies) of the round patches around `places` (n, 2) of a picture (h, w)."""
    if not len(places):
        return np.zeros((0, _RINGS, TURNS // 2 + 1), np.complex64)
    across, down = (radius_px * way for way in _grid())
    spectra = []
    for some in np.array_split(places, len(places) // _MOST + 1):
        x = (some[:, 0, None, None] + across).reshape(-1, TURNS).astype(np.float32)
        y = (some[:, 1, None, None] + down).reshape(-1, TURNS).astype(np.float32)
        seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        rings = np.asarray(seen, np.float32).reshape(-1, _RINGS, TURNS)
        weight = np.sqrt(_radii() / _radii().sum() / TURNS)[:, None]
        mean = (rings.mean(axis=2) @ (_radii() / _radii().sum()))[:, None, None]
        centred = (rings - mean) * weight
        length = np.sqrt((centred**2).sum(axis=(1, 2), keepdims=True))
        spectra.append(np.asarray(np.fft.rfft(centred / np.maximum(length, _FLAT), axis=2), np.complex64))
    return np.concatenate(spectra)


def compare(seen: Spectra, known: Spectra, finer: int = 1) -> Real:
    """Correlate every seen patch with every known one at `TURNS` times `finer` turns: (seen, known, turns).

    A turn maps the known patch to the one seen, clockwise in the picture. Between the turns of the rings their
    band-limited course is taken.
    """
    product = np.einsum("nrf,krf->nkf", seen, np.conj(known), optimize=True)
    return np.asarray(finer * np.fft.irfft(product, TURNS * finer, axis=2), np.float64)


def grid_offsets(reach: float, step: float) -> Places:
    """Return offsets (n, 2) on a grid from -reach to reach."""
    count = max(1, round(reach / step))
    line = np.arange(-count, count + 1) * step
    across, down = np.meshgrid(line, line)
    return np.column_stack((across.ravel(), down.ravel()))


@cache
def _radii() -> NDArray[np.float64]:
    return np.linspace(_INNER, 1.0, _RINGS)


@cache
def _grid() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    turns = np.arange(TURNS) * (2 * math.pi / TURNS)
    return _radii()[:, None] * np.cos(turns), _radii()[:, None] * np.sin(turns)
