"""Fits known faces to a piece of a picture: the best place and turn of each, by a coarse look, then two closer ones."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.libraries import cv2
from vision.field.view import PX_PER_MM
from vision.taught.glyph import GRID, cut_out, middle_of
from vision.taught.polar import TURNS, Places, Spectra, compare, grid_offsets, rings_at

MAYBE = 0.25  # faces that correlate this much less than the best are not examined closely
_REACH_MM = 2.0  # accuracy of the middle of a face
_COARSE_MM = 0.5
_CLOSER_MM = ((0.4, 0.2), (0.1, 0.05))  # reach and step
_SAME_MM = 0.2  # finds nearer to each other lie in one place
_FINER = 4  # turns between those of the coarse look
_SLOW = 0.07  # part of the disc's radius

Ink = NDArray[np.float32]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """The fit of each of k faces to a crop.

    `score` (k) are correlations, `middle` (k, 2) places, `turn_rad` (k) turns.
    `shape` (k) are distances of shapes, infinite where they were not measured.
    """

    score: Matrix
    middle: Places
    turn_rad: Matrix
    shape: Matrix


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
    _try_where_the_best_is(fits, sharp, spectra, radius_px)
    return fits


def cut_face(ink: Ink, fits: Fits, index: int, radius_px: float) -> Ink:
    """Cut out the disc of a face where it fits best, turned upright: (GRID, GRID)."""
    return cut_out(ink, fits.middle[index], fits.turn_rad[index], radius_px)


def _try_where_the_best_is(fits: Fits, sharp: Ink, spectra: Spectra, radius_px: float) -> None:
    """Look again for the faces that were found elsewhere than the best one: the die has only one middle."""
    place = fits.middle[int(np.argmax(fits.score))].copy()
    over_turns = compare(rings_at(sharp, place[None], radius_px), spectra)[0]
    elsewhere = np.linalg.norm(fits.middle - place, axis=1) > _SAME_MM * PX_PER_MM
    for index in np.flatnonzero(elsewhere & (over_turns.max(axis=1) > np.max(fits.score) - MAYBE)):
        known = spectra[index : index + 1]
        tried = [_refine(sharp, place, turn, known, radius_px) for turn in _peaks(over_turns[index])]
        found = max(tried, key=lambda fit: fit[0])
        if found[0] > fits.score[index]:
            fits.score[index], fits.middle[index], fits.turn_rad[index] = found


def _peaks(over_turns: Matrix) -> list[int]:
    """Return the best turn and the best one quite unlike it: at a coarse look a 13 may fit better upside down."""
    best = int(np.argmax(over_turns))
    away = np.abs((np.arange(TURNS) - best + TURNS // 2) % TURNS - TURNS // 2)
    return [best, int(np.argmax(np.where(away > TURNS // 8, over_turns, -np.inf)))]


def _refine(ink: Ink, place: Matrix, turn: int, spectra: Spectra, radius_px: float) -> tuple[float, Matrix, float]:
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
