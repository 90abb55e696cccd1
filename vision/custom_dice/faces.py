"""Decides which face of a custom set a die shows, or that it is in doubt, or that it is none of the set.

A face is a numeral, a symbol, anything drawn on dice, learnt from a few shots of each. Two readings that share
nothing but the picture must agree: the correlation of the whole face over all turns, and the distance between the
shapes of the drawings. How sure they must be was settled when the set was learnt, from how well each shot is
recognised by the others.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.custom_dice.body import Body
from vision.custom_dice.fitting import (
    MAYBE,
    Fits,
    Ink,
    Spectra,
    correlate,
    cut_face,
    cut_out,
    disc,
    drawing_mask,
    shape_distance,
    spectra_of,
)
from vision.custom_dice.shapes import Shape
from vision.field.view import PX_PER_MM
from vision.reading import Sides

_NOTHING = 0.55  # a face of the set correlates better with at least one face
_AS_GOOD = 0.1  # sets and bodies with this much less correlation are ruled out
_LEAST_BODY = 0.3  # part of the square around the disc that must have the colour of the body
_LEAST_CONTRAST = 0.35  # of the taught one
_UNLIKE = 2.2  # a more unlike colour is that of another body
_SAME_SHAPE = 0.3  # shapes farther away by less than this are equally good
_OTHER_SHAPE = 0.5  # shapes farther away by this much are surely of another face
_FAINT, _SHAPELESS = 0.955, 1.6  # less correlation and more distance of shapes than usual
_USUAL_LEAD = 2.2  # margins: each is 0.4 of the usual lead or more
_OTHER_COLOUR = 1.25  # the second most alike body must be more unlike by this factor, or the colour is in doubt


@dataclass(frozen=True, slots=True, eq=False)
class DiceFace:
    """One face of a set."""

    value: int
    label: str
    shots: NDArray[np.uint8]  # cut-outs (n, GRID, GRID), all upright alike
    floor: float  # least correlation of this face
    ceiling: float  # largest distance of shapes of this face

    @property
    def mean(self) -> Ink:
        """Return the mean of all shots, in which only their common part stands out: (GRID, GRID)."""
        return np.asarray(self.shots.mean(axis=0), np.float32)


@dataclass(frozen=True)
class DiceSet:
    """Custom dice: colours, faces, and how sure a reading of them must be.

    The limits are those of each set: two faces of one may resemble each other more than any two of another.
    """

    name: str
    shape: Shape
    drawn_mm: float  # radius around the middle of a face in which all its drawings lie
    bodies: tuple[Body, ...]  # its colours
    faces: tuple[DiceFace, ...]
    margins: Real  # (faces, faces): how much better than another the best face must correlate, on top of `offsets`
    offsets: Real  # (faces, faces): by how much one of two similar faces correlates better, whichever it is
    alike: tuple[tuple[int, int], ...] = ()  # pairs of values that cannot be told apart

    @property
    def sides(self) -> Sides:
        return self.shape.sides

    @property
    def radius_px(self) -> float:
        """Return the radius of the compared disc in view pixels."""
        return self.drawn_mm * PX_PER_MM

    def label_of(self, value: int) -> str:
        return next(face.label for face in self.faces if face.value == value)

    @cached_property
    def spectra(self) -> Spectra:
        """Return the spectra of the faces (faces, rings, frequencies)."""
        return np.concatenate([spectra_of(face.mean) for face in self.faces])

    @cached_property
    def drawings(self) -> tuple[NDArray[np.uint8], ...]:
        """Return the drawing of each face, (GRID, GRID) 0 or 1."""
        return tuple(drawing_mask(face.mean) for face in self.faces)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A face on which both readings agree; its middle and turn in the crop, in view pixels; the name of the body."""

    value: int
    label: str
    confidence: float
    colour: str
    middle: tuple[float, float]
    turn_rad: float


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A die of a custom set whose face is one of these values, most likely first; its place in the crop."""

    likely: tuple[int, ...]
    middle: tuple[float, float]
    turn_rad: float


@dataclass(frozen=True, slots=True)
class NoneOfThese:
    """No die of any of the sets."""


def recognise(crop: Pixels, sets: tuple[DiceSet, ...]) -> Recognised | Doubtful | NoneOfThese:
    """Recognise the die in the middle of a straightened crop (h, w, 3) at 4 px/mm.

    Its middle may be 2 mm off that of the crop. Of the sets and bodies whose faces fit, the one with the most similar
    colour is taken; a second one that is equally similar is a doubt.
    """
    x, y = crop.shape[1] // 2, crop.shape[0] // 2
    fits = []
    for taught in sets:
        half = round(taught.shape.drawn_mm * PX_PER_MM)
        about = crop[max(0, y - half) : y + half, max(0, x - half) : x + half]
        for body in taught.bodies:
            if float(body.colour_mask(about).mean()) < _LEAST_BODY:
                continue
            ink = body.ink(crop)
            fit = fit_faces(ink, taught)
            best = int(np.argmax(fit.score))
            if fit.score[best] < _NOTHING:
                continue
            # Noise may look like anything: a face differs from its body as much as a drawing does.
            drawn = cut_out(ink, fit.middle[best], 0.0, taught.radius_px)[disc()]
            low, high = np.percentile(drawn, (1, 99))
            if high - low >= _LEAST_CONTRAST * body.contrast:
                fits.append((taught, body, fit))
    if not fits:
        return NoneOfThese()
    top = max(float(np.max(fit[2].score)) for fit in fits)
    fits = [fit for fit in fits if np.max(fit[2].score) > top - _AS_GOOD]
    seen = []
    for taught, body, fit in fits:
        best = int(np.argmax(fit.score))
        colour = plain_colour(crop, taught, best, fit.middle[best], float(fit.turn_rad[best]))
        seen.append((body.unlikeness(colour), (taught, body, fit)))
    seen.sort(key=lambda pair: pair[0])
    unlike, (taught, body, fit) = seen[0]
    if unlike > _UNLIKE:
        return NoneOfThese()
    # The most similar body must be clearly more similar than any other.
    sure_of_colour = len(seen) < 2 or seen[1][0] > _OTHER_COLOUR * max(unlike, 0.4)
    return _judge(taught, body, fit, sure_of_colour=sure_of_colour)


def fit_faces(ink: Ink, taught: DiceSet) -> Fits:
    """Fit every face around the middle of a piece of ink (h, w): correlations and distances of shapes."""
    fits = correlate(ink, taught.spectra, taught.radius_px)
    # The distance of shapes is measured where each face fits best; it stays infinite for faces that hardly fit.
    apart_by = np.full(len(fits.score), np.inf)
    for index in np.flatnonzero(fits.score > np.max(fits.score) - MAYBE):
        cut = cut_face(ink, fits, int(index), taught.radius_px)
        apart_by[index] = shape_distance(drawing_mask(cut), taught.drawings[index])
    return Fits(fits.score, fits.middle, fits.turn_rad, apart_by)


def plain_colour(crop: Pixels, taught: DiceSet, face: int, at: Real, turn_rad: float) -> Real:
    """Return the colour (3,) BGR around the drawing of a face (its index), found at a place of the crop."""
    radius = taught.radius_px
    planes = [cut_out(np.ascontiguousarray(crop[:, :, k], np.float32), at, turn_rad, radius) for k in range(3)]
    plain = taught.faces[face].mean < np.percentile(taught.faces[face].mean, 50)
    return np.array([np.median(plane[plain]) for plane in planes])


def _judge(taught: DiceSet, body: Body, fit: Fits, *, sure_of_colour: bool) -> Recognised | Doubtful:
    ahead = leads_of(fit.score, taught.offsets)
    best = best_face(ahead)
    face = taught.faces[best]
    order = [int(other) for other in np.argsort(-fit.score) if other != best]
    margin = taught.margins[best]
    if fit.score[best] < _FAINT and fit.shape[best] > _SHAPELESS:
        # Neither correlation nor shape of the best one is quite right: all of its usual lead is required.
        may_be = ahead[best] < _USUAL_LEAD * margin
    else:
        may_be = (ahead[best] < margin) & (fit.shape < fit.shape[best] + _OTHER_SHAPE)
    rivals = [other for other in order if may_be[other]]
    by_shape = best if fit.shape[best] <= np.min(fit.shape) + _SAME_SHAPE else int(np.argmin(fit.shape))
    unmarked = [other for pair in taught.alike if face.value in pair for other in pair if other != face.value]
    middle = (float(fit.middle[best][0]), float(fit.middle[best][1]))
    turn = float(fit.turn_rad[best])
    agree = by_shape == best and fit.score[best] >= face.floor and fit.shape[best] <= face.ceiling
    if agree and sure_of_colour and not rivals and not unmarked:
        lead = max(float(_least_leads(ahead)[best]), 0.0)
        confidence = round(min(1.0, float(fit.score[best])) * (1 - math.exp(-8 * lead)), 3)
        return Recognised(face.value, face.label, confidence, body.name, middle, turn)
    others = [*unmarked, *(taught.faces[index].value for index in (*rivals, by_shape) if index != best)]
    return Doubtful(tuple(dict.fromkeys((face.value, *others))), middle, turn)


def leads_of(score: Real, offsets: Real) -> Real:
    """Return by how much each face correlates better than each other one: (faces, faces), from the `score` (faces)."""
    return np.asarray(score[:, None] - score - offsets, np.float64)


def best_face(ahead: Real) -> int:
    """Return the face that is ahead of all others, or least behind one."""
    return int(np.argmax(_least_leads(ahead)))


def _least_leads(ahead: Real) -> Real:
    """Return the lead of each face (faces) over its closest rival; infinite for the only one."""
    return np.asarray(np.where(np.eye(len(ahead), dtype=bool), np.inf, ahead).min(axis=1), np.float64)
