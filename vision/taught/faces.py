"""Decides which face of a taught set a die shows, or that it is in doubt, or that it is none of the set.

A face is a numeral, a symbol, whatever is drawn on dice, learnt from a few shots of each. Two readings that share
nothing but the picture must agree: the correlation of the whole face over all turns, and the distance between the
shapes of what is drawn. How sure they must be was settled when the set was learnt, from how well each shot is
recognised by the others.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels
from vision.field import PX_PER_MM
from vision.taught.body import Body
from vision.taught.fitting import MAYBE, Fits, Ink, Matrix, correlate, spectra_of
from vision.taught.glyph import cut_out, disc, drawing_mask, shape_distance
from vision.taught.kinds import Sides
from vision.taught.polar import Spectra
from vision.taught.shapes import Shape

_NOTHING = 0.55  # what correlates less with every face is no face of the set
_AS_GOOD = 0.1  # sets and bodies with this much less correlation are out of the question
_LEAST_BODY = 0.3  # part of the square about the disc that must have the body's colour
_LEAST_CONTRAST = 0.35  # of the taught one
_UNLIKE = 2.2  # a body more unlike than this is another one's
_SAME_SHAPE = 0.3  # shapes that are farther away by less than this are as good
_OTHER_SHAPE = 0.5  # ... and farther away by this much, surely of another face
_FAINT, _SHAPELESS = 0.955, 1.6  # less correlation and more distance of shapes than a face usually has
_USUAL_LEAD = 2.2  # margins: each is 0.4 of the usual lead or more
_OTHER_COLOUR = 1.25  # the second most alike body must be more unlike by this factor, or the colour is in doubt


@dataclass(frozen=True, slots=True, eq=False)
class TaughtFace:
    """One face: its value, what it is called, and its cut-outs (n, GRID, GRID) uint8, all upright alike.

    `floor` is the least correlation and `ceiling` the largest distance of shapes that is still this face.
    """

    value: int
    label: str
    shots: NDArray[np.uint8]
    floor: float
    ceiling: float

    @property
    def mean(self) -> Ink:
        """The mean of all shots, in which only what they have in common stands out: (GRID, GRID)."""
        return np.asarray(self.shots.mean(axis=0), np.float32)


@dataclass(frozen=True)
class TaughtSet:
    """Dice that were taught: colours, faces, and how sure a reading of them must be.

    The limits are each set's own: two faces of one may resemble each other more than any two of another.

    `drawn_mm` is the radius about a face's middle in which all its drawings lie, `bodies` are its colours,
    `margins` (faces, faces) how much better than another the best face must correlate, over and above `offsets`
    (faces, faces), by which one of two faces that resemble each other does so whichever of them it is; `alike` the
    pairs of values that cannot be told apart.
    """

    name: str
    shape: Shape
    drawn_mm: float
    bodies: tuple[Body, ...]
    faces: tuple[TaughtFace, ...]
    margins: Matrix
    offsets: Matrix
    alike: tuple[tuple[int, int], ...] = ()

    @property
    def sides(self) -> Sides:
        """The number of faces of its dice."""
        return self.shape.sides

    @property
    def radius_px(self) -> float:
        """The radius of the compared disc in view pixels."""
        return self.drawn_mm * PX_PER_MM

    def label_of(self, value: int) -> str:
        """The name of the face of this value."""
        return next(face.label for face in self.faces if face.value == value)

    @cached_property
    def spectra(self) -> Spectra:
        """The faces' spectra (faces, rings, frequencies)."""
        return np.concatenate([spectra_of(face.mean) for face in self.faces])

    @cached_property
    def drawings(self) -> tuple[NDArray[np.uint8], ...]:
        """The drawing of each face, (GRID, GRID) 0 or 1."""
        return tuple(drawing_mask(face.mean) for face in self.faces)


@dataclass(frozen=True, slots=True)
class Recognised:
    """A face that both readings agree on; its middle and turn in the crop, in view pixels; the body's name."""

    value: int
    label: str
    confidence: float
    colour: str
    middle: tuple[float, float]
    turn_rad: float


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A die of a taught set whose face is one of these values, most likely first; where it lies in the crop."""

    likely: tuple[int, ...]
    middle: tuple[float, float]
    turn_rad: float


@dataclass(frozen=True, slots=True)
class NoneOfThese:
    """No die of any of the sets."""


def recognise(crop: Pixels, sets: tuple[TaughtSet, ...]) -> Recognised | Doubtful | NoneOfThese:
    """Recognise the die in the middle of a straightened crop (h, w, 3) at 4 px/mm.

    Its middle may be 2 mm off the crop's. Of the sets and bodies whose faces fit, that of the most alike colour is
    taken; where a second one is as alike, that is a doubt.
    """
    answers = [(taught, body) for taught in sets for body in taught.bodies if _may_have_body(crop, taught, body)]
    fits = [(taught, body, fit_faces(body.ink(crop), taught)) for taught, body in answers]
    fits = [fit for fit in fits if np.max(fit[2].score) >= _NOTHING and _is_drawn_on(crop, *fit)]
    if not fits:
        return NoneOfThese()
    top = max(float(np.max(fit[2].score)) for fit in fits)
    fits = [fit for fit in fits if np.max(fit[2].score) > top - _AS_GOOD]
    seen = [(_colour_unlikeness(crop, *fit), fit) for fit in fits]
    seen.sort(key=lambda pair: pair[0])
    unlike, (taught, body, fit) = seen[0]
    if unlike > _UNLIKE:
        return NoneOfThese()
    return _judge(taught, body, fit, sure_of_colour=_is_colour_sure(seen))


def fit_faces(ink: Ink, taught: TaughtSet) -> Fits:
    """The fit of every face about the middle of a piece of ink (h, w): correlations and distances of shapes."""
    fits = correlate(ink, taught.spectra, taught.radius_px)
    return Fits(fits.score, fits.middle, fits.turn_rad, _shape_distances(ink, fits, taught))


def _shape_distances(ink: Ink, fits: Fits, taught: TaughtSet) -> Matrix:
    """The distances (k) of shapes, each face where it fits best; infinite for faces that hardly fit."""
    apart_by = np.full(len(fits.score), np.inf)
    for index in np.flatnonzero(fits.score > np.max(fits.score) - MAYBE):
        x, y = fits.middle[index]
        cut = cut_out(ink, (float(x), float(y)), float(fits.turn_rad[index]), taught.radius_px)
        apart_by[index] = shape_distance(drawing_mask(cut), taught.drawings[index])
    return apart_by


def _may_have_body(crop: Pixels, taught: TaughtSet, body: Body) -> bool:
    """True if enough about the crop's middle has the body's colour."""
    x, y = crop.shape[1] // 2, crop.shape[0] // 2
    half = round(taught.shape.drawn_mm * PX_PER_MM)
    return float(body.colour_mask(crop[max(0, y - half) : y + half, max(0, x - half) : x + half]).mean()) >= _LEAST_BODY


def _colour_unlikeness(crop: Pixels, taught: TaughtSet, body: Body, fit: Fits) -> float:
    """The unlikeness of the body's colour, seen beside the drawing, to the taught one."""
    best = int(np.argmax(fit.score))
    x, y = (float(part) for part in fit.middle[best])
    return body.unlikeness(plain_colour(crop, taught, best, (x, y), float(fit.turn_rad[best])))


def plain_colour(crop: Pixels, taught: TaughtSet, face: int, at: tuple[float, float], turn_rad: float) -> Matrix:
    """The colour (3,) BGR of a die's top beside its drawing, that of this face (its index) at a place of the crop."""
    radius = taught.radius_px
    planes = [cut_out(np.ascontiguousarray(crop[:, :, k], np.float32), at, turn_rad, radius) for k in range(3)]
    plain = taught.faces[face].mean < np.percentile(taught.faces[face].mean, 50)
    return np.array([np.median(plane[plain]) for plane in planes])


def _is_drawn_on(crop: Pixels, taught: TaughtSet, body: Body, fit: Fits) -> bool:
    """True if the face differs from its body as much as a drawing does: noise may look like anything."""
    best = int(np.argmax(fit.score))
    x, y = (float(part) for part in fit.middle[best])
    low, high = np.percentile(cut_out(body.ink(crop), (x, y), 0.0, taught.radius_px)[disc()], (1, 99))
    return float(high - low) >= _LEAST_CONTRAST * body.contrast


def _is_colour_sure(seen: list[tuple[float, tuple[TaughtSet, Body, Fits]]]) -> bool:
    """True if the most alike body is clearly more alike than any other."""
    if len(seen) < 2:
        return True
    return seen[1][0] > _OTHER_COLOUR * max(seen[0][0], 0.4)


def _judge(taught: TaughtSet, body: Body, fit: Fits, *, sure_of_colour: bool) -> Recognised | Doubtful:
    ahead = leads_of(fit.score, taught.offsets)
    best = best_face(ahead)
    face = taught.faces[best]
    order = [int(other) for other in np.argsort(-fit.score) if other != best]
    rivals = [other for other in order if _is_rival(taught, fit, ahead[best, other], best, other)]
    by_shape = best if fit.shape[best] <= np.min(fit.shape) + _SAME_SHAPE else int(np.argmin(fit.shape))
    unmarked = [other for pair in taught.alike if face.value in pair for other in pair if other != face.value]
    middle = (float(fit.middle[best][0]), float(fit.middle[best][1]))
    turn = float(fit.turn_rad[best])
    agree = by_shape == best and fit.score[best] >= face.floor and fit.shape[best] <= face.ceiling
    if agree and sure_of_colour and not rivals and not unmarked:
        return Recognised(face.value, face.label, _confidence(fit, ahead, best), body.name, middle, turn)
    others = [*unmarked, *(taught.faces[index].value for index in (*rivals, by_shape) if index != best)]
    return Doubtful(tuple(dict.fromkeys((face.value, *others))), middle, turn)


def leads_of(score: Matrix, offsets: Matrix) -> Matrix:
    """The leads (faces, faces): by how much more than each other face every one correlates, of `score` (faces)."""
    return np.asarray(score[:, None] - score - offsets, np.float64)


def best_face(ahead: Matrix) -> int:
    """The face that is ahead of all others, or least behind one."""
    return int(np.argmax(_least_leads(ahead)))


def _least_leads(ahead: Matrix) -> Matrix:
    """The lead of each face (faces) over the one that comes nearest to it; infinite for the only one."""
    return np.asarray(np.where(np.eye(len(ahead), dtype=bool), np.inf, ahead).min(axis=1), np.float64)


def _is_rival(taught: TaughtSet, fit: Fits, ahead: float, best: int, other: int) -> bool:
    """True if another face correlates nearly as well as the best one, and its shape does not speak against it.

    Where the best one is like what is seen neither quite in correlation nor in shape, all of its usual lead is asked.
    """
    margin = taught.margins[best, other]
    if fit.score[best] < _FAINT and fit.shape[best] > _SHAPELESS:
        return bool(ahead < _USUAL_LEAD * margin)
    return bool(ahead < margin and fit.shape[other] < fit.shape[best] + _OTHER_SHAPE)


def _confidence(fit: Fits, ahead: Matrix, best: int) -> float:
    """0..1: how well it correlates, and how far it is ahead of the others."""
    lead = max(float(_least_leads(ahead)[best]), 0.0)
    return round(min(1.0, float(fit.score[best])) * (1 - math.exp(-8 * lead)), 3)
