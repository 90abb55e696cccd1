"""Fits known faces to a piece of a picture: the best place and turn of each, by a coarse look, then two closer ones."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Mask, Place, Places, Real, Real32
from vision.field.view import PX_PER_MM
from vision.libraries import cv2

TURNS = 72  # five degrees apart; `compare` interpolates finer ones
_RINGS = 11
_INNER = 0.09  # the innermost ring, as a part of the radius
_FLAT = 1e-6
_MOST = 1500  # places at once: remap of OpenCV takes fewer than 32768 rows

Spectra = NDArray[np.complex64]


def rings_at(picture: Real32, places: Places, radius_px: float) -> Spectra:
    """Return the spectra (n, rings, frequencies) of the round patches around `places` (n, 2) of a picture (h, w)."""
    if not len(places):
        return np.zeros((0, _RINGS, TURNS // 2 + 1), np.complex64)
    turns = np.arange(TURNS) * (2 * math.pi / TURNS)
    across, down = (radius_px * (_radii()[:, None] * way) for way in (np.cos(turns), np.sin(turns)))
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
def _radii() -> Real:
    return np.linspace(_INNER, 1.0, _RINGS)


GRID = 48  # edge of a cut-out; its disc touches the edges
_WORST = 0.06  # the distance is averaged over this part of the pixels, the farthest ones
_FAR = 12.0  # pixels: nothing is farther
_RIM = 0.97
_AT_RIM, _REACHES_IN = 0.9, 0.7  # a part that touches the rim and lies wholly farther out is no drawing


def cut_out(ink: Real32, at: Place, turn_rad: float, radius_px: float) -> Real32:
    """Cut the disc of `radius_px` around a place (2,) out of a picture (h, w), turned upright: (GRID, GRID)."""
    scale = 2 * radius_px / GRID
    cosine, sine = np.cos(turn_rad) * scale, np.sin(turn_rad) * scale
    half = (GRID - 1) / 2
    to_picture = np.array(
        [[cosine, -sine, at[0] - (cosine - sine) * half], [sine, cosine, at[1] - (sine + cosine) * half]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(ink, to_picture, (GRID, GRID), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def middle_of(ink: Real32) -> Place:
    """Return the middle (2,) of a picture (h, w)."""
    return np.array([(ink.shape[1] - 1) / 2, (ink.shape[0] - 1) / 2])


def drawing_mask(cut: Real32) -> Mask:
    """Return 1 where something is drawn in the disc of a cut-out (GRID, GRID), by the threshold of Otsu."""
    inside = disc()
    values = cut[inside]
    low, high = (float(part) for part in np.percentile(values, (2, 98)))
    grey = np.clip((cut - low) * (255 / max(high - low, 1e-6)), 0, 255).astype(np.uint8)
    level, _ = cv2.threshold(grey[inside].reshape(1, -1), 0, 255, cv2.THRESH_OTSU)
    drawn = np.asarray((grey > level) & inside, np.uint8)
    count, labels = cv2.connectedComponents(drawn, connectivity=8)
    if count <= 2:
        return drawn
    # A part that only reaches in from outside belongs to the face next to this one.
    radii = [_radius()[labels == index] for index in range(1, count)]
    own = [part.min() < _REACHES_IN or part.max() < _AT_RIM for part in radii]
    return np.asarray(np.array([False, *own])[labels], np.uint8)


def shape_distance(one: Mask, other: Mask) -> float:
    """Return the distance of two drawings (GRID, GRID), in hundredths of the diameter of their disc."""
    if not one.any() or not other.any():
        return 100 * _FAR / GRID
    worst = max(_worst_distance(one, other), _worst_distance(other, one))
    return 100 * worst / GRID


def drawn_share_by_ring(one: Mask) -> Real:
    """Return the part 0..1 of each ring of a disc that is drawn on, from its middle outwards: (GRID // 2)."""
    y, x = np.mgrid[:GRID, :GRID] - (GRID - 1) / 2
    ring = np.minimum(np.hypot(x, y).astype(int), GRID // 2 - 1)[disc()]
    return np.bincount(ring, one[disc()], GRID // 2) / np.bincount(ring, minlength=GRID // 2)


@cache
def disc() -> Flags:
    """Return the disc of a cut-out, (GRID, GRID)."""
    return np.asarray(_radius() <= _RIM)


@cache
def _radius() -> Real:
    """Return the distance (GRID, GRID) of every pixel from the middle of a cut-out, in radii of its disc."""
    line = (np.arange(GRID) - (GRID - 1) / 2) / (GRID / 2)
    return np.asarray(np.hypot(line[None], line[:, None]))


def _worst_distance(one: Mask, other: Mask) -> float:
    """Return the mean distance in pixels from `other` of that part of `one` that is farthest away."""
    away = cv2.distanceTransform(1 - other, cv2.DIST_L2, 5)[one > 0]
    count = max(1, round(_WORST * len(away)))
    return float(np.minimum(np.partition(away, -count)[-count:], _FAR).mean())


MAYBE = 0.25  # faces that correlate this much less than the best are not examined closely
_REACH_MM = 2.0  # accuracy of the middle of a face
_COARSE_MM = 0.5
_CLOSER_MM = ((0.4, 0.2), (0.1, 0.05))  # reach and step
_SAME_MM = 0.2  # finds nearer to each other lie in one place
_FINER = 4  # turns between those of the coarse look
_SLOW = 0.07  # part of the disc's radius

Ink = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """The fit of each of k faces to a crop."""

    score: Real  # (k): correlations
    middle: Places  # (k, 2)
    turn_rad: Real  # (k)
    shape: Real  # (k): distances of shapes, infinite where they were not measured


def spectra_of(cut: Ink) -> Spectra:
    """Return the spectra (1, rings, frequencies) of an upright cut-out."""
    middle = np.array([[(GRID - 1) / 2, (GRID - 1) / 2]])
    return rings_at(sharpen(cut, GRID / 2), middle, GRID / 2)


def sharpen(ink: Ink, radius_px: float) -> Ink:
    """Subtract slow changes, which all drawings have in common: a small dark thing amid a light face."""
    return np.asarray(ink - cv2.GaussianBlur(ink, (0, 0), _SLOW * radius_px), np.float32)


def correlate(ink: Ink, spectra: Spectra, radius_px: float, reach_mm: float = _REACH_MM) -> Fits:
    """Return the best place and turn of every known face (k) around the middle of a piece of ink; no shapes."""
    middle = middle_of(ink)[None]
    places = middle + grid_offsets(reach_mm, _COARSE_MM) * PX_PER_MM
    sharp = sharpen(ink, radius_px)
    over_turns = compare(rings_at(sharp, places, radius_px), spectra)
    coarse = over_turns.max(axis=0)
    tops = coarse.max(axis=1)
    fits = Fits(tops, np.repeat(middle, len(tops), axis=0), np.zeros(len(tops)), np.full(len(tops), np.inf))
    for index in np.flatnonzero(tops > np.max(tops) - MAYBE):
        guesses = [(places[np.argmax(over_turns[:, index, turn])], turn) for turn in _peaks(coarse[index])]
        tried = [_refine(sharp, place, turn, spectra[index : index + 1], radius_px) for place, turn in guesses]
        fits.score[index], fits.middle[index], fits.turn_rad[index] = max(tried, key=lambda fit: fit[0])
    # A die has only one middle: faces that were found elsewhere than the best one are sought at its place, too.
    place = fits.middle[int(np.argmax(fits.score))].copy()
    here = compare(rings_at(sharp, place[None], radius_px), spectra)[0]
    elsewhere = np.linalg.norm(fits.middle - place, axis=1) > _SAME_MM * PX_PER_MM
    for index in np.flatnonzero(elsewhere & (here.max(axis=1) > np.max(fits.score) - MAYBE)):
        known = spectra[index : index + 1]
        tried = [_refine(sharp, place, turn, known, radius_px) for turn in _peaks(here[index])]
        found = max(tried, key=lambda fit: fit[0])
        if found[0] > fits.score[index]:
            fits.score[index], fits.middle[index], fits.turn_rad[index] = found
    return fits


def cut_face(ink: Ink, fits: Fits, index: int, radius_px: float) -> Ink:
    """Cut out the disc of a face where it fits best, turned upright: (GRID, GRID)."""
    return cut_out(ink, fits.middle[index], fits.turn_rad[index], radius_px)


def _peaks(over_turns: Real) -> list[int]:
    """Return the best turn and the best one quite unlike it: at a coarse look a 13 may fit better upside down."""
    best = int(np.argmax(over_turns))
    away = np.abs((np.arange(TURNS) - best + TURNS // 2) % TURNS - TURNS // 2)
    return [best, int(np.argmax(np.where(away > TURNS // 8, over_turns, -np.inf)))]


def _refine(ink: Ink, place: Real, turn: int, spectra: Spectra, radius_px: float) -> tuple[float, Real, float]:
    """Return score, middle and turn of one face near a place, at a turn like this one."""
    turns = np.arange(TURNS * _FINER)
    half = len(turns) // 2
    off = np.abs((turns - turn * _FINER + half) % len(turns) - half) > _FINER * TURNS // 12
    score, best = -np.inf, 0
    for reach, step in _CLOSER_MM:
        nearby = place + grid_offsets(reach, step) * PX_PER_MM
        scores = compare(rings_at(ink, nearby, radius_px), spectra, _FINER)[:, 0]
        scores[:, off] = -np.inf
        which, best = divmod(int(np.argmax(scores)), len(turns))
        place, score = nearby[which], float(scores[which, best])
    return score, place, best * 2 * math.pi / len(turns)
