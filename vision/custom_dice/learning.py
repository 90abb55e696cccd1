"""Learns a set of dice from shots of its faces: how sure a reading must be, and which faces cannot be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.custom_dice.body import Body, body_of
from vision.custom_dice.faces import DiceFace, DiceSet, best_face, leads_of
from vision.custom_dice.fitting import (
    MAYBE,
    Ink,
    correlate,
    cut_face,
    cut_out,
    disc,
    drawing_mask,
    drawn_share_by_ring,
    middle_of,
    shape_distance,
    spectra_of,
)
from vision.custom_dice.shapes import Shape
from vision.field.view import PX_PER_MM

LEAST_SHOTS = 3  # each is compared with the mean of the others: of two shots that is one, with all its noise
# A margin is this part of the usual lead of a face; floors lie below the worst correlation of a shot with its own
# face, ceilings above the worst distance of shapes. All are kept within limits, for a few shots say little.
_LEAST_MARGIN, _MOST_MARGIN, _PART_OF_MARGIN = 0.005, 0.1, 0.4
_BELOW_WORST, _LEAST_FLOOR, _MOST_FLOOR = 0.1, 0.6, 0.86
_ABOVE_WORST, _LEAST_CEILING, _MOST_CEILING = 2.0, 3.0, 9.0
# Correlation surely tells two faces apart when each is ahead of the other by more than this many standard deviations
# and a bit more.
_DEVIATIONS, _LEAST_DEVIATION, _ALIKE = 1.0, 0.002, 0.003
# If not, the middle between them is where neither is ahead: faces that can be told apart at all are this many
# deviations away from it, and a face is mistaken for the other only this many deviations from its usual place.
_APART, _MISTAKEN = 3.0, 5.0
_OTHER_SHAPE = 0.25  # hundredths of the disc: shapes always nearer to their own by this are different
_LEAST_AHEAD = 0.002  # correlations
_FAR_AHEAD = 0.25  # part of the median
_SHOWN_MM = 3.0  # largest error of the middles of two shots
_ROUNDS = 2
_EMPTY, _GAP, _INNERMOST, _AROUND_MM = 0.02, 4, 0.3, 0.25  # a line under a number stands a little apart


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One face as it was shown."""

    value: int
    colour: str  # name of its body
    crop: Pixels  # straightened (h, w, 3), at 4 px/mm, with the middle of the face in its own
    turn_rad: float  # how far the die was turned; a guess is enough


@dataclass(frozen=True, slots=True)
class Confusion:
    """A shot that the others would not recognise correctly: its number (from 0) and the likely values."""

    shot: int
    value: int
    likely: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """The learnt set, and the shots that would be doubtful if it had been learnt without them (leave-one-out).

    So the teacher hears at once what the box will have to ask about.
    """

    taught: DiceSet
    confusions: tuple[Confusion, ...]

    @property
    def is_good(self) -> bool:
        """Return True if few shots are in doubt and every pair of faces can be told apart."""
        shots = sum(len(face.shots) for face in self.taught.faces)
        return len(self.confusions) <= 0.05 * shots and not self.taught.alike


@dataclass(frozen=True, slots=True, eq=False)
class _HeldOutShot:
    """One shot against all faces, its own without it: correlations (k) and distances of shapes (k)."""

    own: int
    score: Real
    shape: Real


def learn(
    name: str, shape: Shape, labels: Sequence[tuple[int, str]], shots: Sequence[Shot], known: Sequence[Body] = ()
) -> Lesson:
    """Learn a set from shots; `labels` are the values and names of its faces.

    Bodies are learnt from all their shots; a `known` body without shots is taken as it is.
    Raises `ValueError` when a face has fewer than `LEAST_SHOTS` shots or nothing is drawn on a die.
    """
    for value, label in labels:
        if sum(shot.value == value for shot in shots) < LEAST_SHOTS:
            raise ValueError(f"the face {label} needs at least {LEAST_SHOTS} shots")
    by_name = {body.name: body for body in known}
    for colour in dict.fromkeys(shot.colour for shot in shots):
        tops = [top_of(shot.crop, shape) for shot in shots if shot.colour == colour]
        by_name[colour] = body_of(colour, np.concatenate(tops))
    bodies = tuple(by_name.values())
    inks = [next(body for body in bodies if body.name == shot.colour).ink(shot.crop) for shot in shots]
    # The disc that is compared ends where nothing is drawn on any face.
    means = [cut.mean(axis=0).astype(np.float32) for cut in _cuts(labels, shots, inks, shape.drawn_mm)]
    share = np.max([drawn_share_by_ring(drawing_mask(mean)) for mean in means], axis=0)
    runs = np.convolve(share < _EMPTY, np.ones(_GAP), "valid") == _GAP
    empty = np.flatnonzero(runs & (np.arange(len(runs)) >= _INNERMOST * len(share)))
    part = (empty[0] + 1) / len(share) if len(empty) else 1.0
    drawn_mm = min(shape.drawn_mm, float(part) * shape.drawn_mm + _AROUND_MM)
    cuts = _cuts(labels, shots, inks, drawn_mm)
    trials = _hold_out_each(labels, shots, inks, cuts, drawn_mm * PX_PER_MM)
    margins, offsets, alike = _margins(len(labels), trials)
    faces = []
    for index, (value, label) in enumerate(labels):
        own = [trial for trial in trials if trial.own == index]
        floor = min(trial.score[index] for trial in own) - _BELOW_WORST
        ceiling = max(trial.shape[index] for trial in own) + _ABOVE_WORST
        floor = float(np.clip(floor, _LEAST_FLOOR, _MOST_FLOOR))
        ceiling = float(np.clip(ceiling, _LEAST_CEILING, _MOST_CEILING))
        faces.append(DiceFace(value, label, cuts[index], floor, ceiling))
    pairs = tuple((labels[one][0], labels[other][0]) for one, other in alike)
    taught = DiceSet(name, shape, drawn_mm, bodies, tuple(faces), margins, offsets, pairs)
    return Lesson(taught, tuple(_confusions(taught, trials)))


def _cuts(
    labels: Sequence[tuple[int, str]], shots: Sequence[Shot], inks: Sequence[Ink], drawn_mm: float
) -> list[NDArray[np.uint8]]:
    """Return the aligned cut-outs (n, GRID, GRID) of every face, in the order of the labels."""
    cuts = []
    for value, _ in labels:
        chosen = [index for index, shot in enumerate(shots) if shot.value == value]
        turns = [shots[index].turn_rad for index in chosen]
        cuts.append(align([inks[index] for index in chosen], turns, drawn_mm * PX_PER_MM))
    return cuts


def top_of(crop: Pixels, shape: Shape) -> Pixels:
    """Return the pixels (n, 3) of the disc around the middle of a crop on which the face is drawn."""
    height, width = crop.shape[:2]
    y, x = np.mgrid[:height, :width]
    radius = shape.drawn_mm * PX_PER_MM
    return np.asarray(crop[(x - (width - 1) / 2) ** 2 + (y - (height - 1) / 2) ** 2 <= radius**2], np.uint8)


def align(inks: Sequence[Ink], turns_rad: Sequence[float], radius_px: float) -> NDArray[np.uint8]:
    """Align cut-outs (n, GRID, GRID) of the same face: all turned and moved as the first."""
    mean = cut_out(inks[0], middle_of(inks[0]), turns_rad[0], radius_px)
    cuts = np.zeros(0)
    for _ in range(_ROUNDS):
        spectra = spectra_of(mean)
        fits = [correlate(ink, spectra, radius_px, _SHOWN_MM) for ink in inks]
        # From where the face was found to the middle of its crop, as the upright face has it; the mean is best.
        ways = [_turn(middle_of(ink) - fit.middle[0], -fit.turn_rad[0]) for ink, fit in zip(inks, fits, strict=True)]
        inward = np.mean(ways, axis=0)
        moved = [replace(fit, middle=fit.middle + _turn(inward, fit.turn_rad[0])) for fit in fits]
        cuts = np.array([_levelled(cut_face(ink, fit, 0, radius_px)) for ink, fit in zip(inks, moved, strict=True)])
        mean = np.asarray(cuts.mean(axis=0), np.float32)
    return np.asarray(np.clip(np.round(cuts), 0, 255), np.uint8)


def _turn(way: Real, turn_rad: float) -> Real:
    x, y = way
    cosine, sine = np.cos(turn_rad), np.sin(turn_rad)
    return np.array([x * cosine - y * sine, y * cosine + x * sine])


def _hold_out_each(
    labels: Sequence[tuple[int, str]],
    shots: Sequence[Shot],
    inks: Sequence[Ink],
    cuts: Sequence[NDArray[np.uint8]],
    radius_px: float,
) -> list[_HeldOutShot]:
    """Compare every shot with the means of all faces, its own face without it."""
    means = [np.asarray(cut.mean(axis=0), np.float32) for cut in cuts]
    spectra = [spectra_of(mean) for mean in means]
    met = [0] * len(labels)
    values = [value for value, _ in labels]
    trials = []
    for shot, ink in zip(shots, inks, strict=True):
        own = values.index(shot.value)
        rest = np.delete(cuts[own], met[own], axis=0).mean(axis=0).astype(np.float32)
        met[own] += 1
        against = [*means[:own], rest, *means[own + 1 :]]
        known = np.concatenate([*spectra[:own], spectra_of(rest), *spectra[own + 1 :]])
        fit = correlate(ink, known, radius_px, _SHOWN_MM)
        shapes = [
            shape_distance(drawing_mask(cut_face(ink, fit, k, radius_px)), drawing_mask(mean))
            for k, mean in enumerate(against)
        ]
        trials.append(_HeldOutShot(own, fit.score, np.array(shapes)))
    return trials


def _margins(count: int, trials: Sequence[_HeldOutShot]) -> tuple[Real, Real, list[tuple[int, int]]]:
    """Return margins, offsets and pairs alike: see `DiceSet`.

    A margin is how far the best face must be ahead of each other; an offset how much better one of two correlates
    whichever it is; pairs alike are those that neither reading can tell apart.
    """
    margins, offsets = np.full((count, count), _LEAST_MARGIN), np.zeros((count, count))
    alike = []
    for one, other in combinations(range(count), 2):
        (lead, spread), (back, spread_back) = _lead_over(one, other, trials), _lead_over(other, one, trials)
        wanted = _PART_OF_MARGIN * min(lead, back)
        if min(lead - _DEVIATIONS * spread, back - _DEVIATIONS * spread_back) < _ALIKE:
            half, deviation = (lead + back) / 2, max(spread, spread_back)
            wanted = max(_PART_OF_MARGIN * half, _MISTAKEN * deviation - half)
            offsets[one, other] = (lead - back) / 2
            if half < _APART * deviation:
                # Either reading alone may tell every single shot of the two faces from the other face.
                own = [(trial, one, other) for trial in trials if trial.own == one]
                own += [(trial, other, one) for trial in trials if trial.own == other]
                nearer = min(trial.shape[rival] - trial.shape[face] for trial, face, rival in own)
                ahead = min(trial.score[face] - trial.score[rival] for trial, face, rival in own)
                if nearer <= _OTHER_SHAPE and ahead <= _LEAST_AHEAD:
                    alike.append((one, other))
        margins[one, other] = margins[other, one] = np.clip(wanted, _LEAST_MARGIN, _MOST_MARGIN)
    return margins, offsets - offsets.T, alike


def _lead_over(one: int, other: int, trials: Sequence[_HeldOutShot]) -> tuple[float, float]:
    """Return the mean lead in correlation of the shots of a face over another face, and its standard deviation."""
    ahead = np.array([trial.score[one] - trial.score[other] for trial in trials if trial.own == one])
    # A rival that falls far behind in one shot makes nothing unsure.
    usual = float(np.median(ahead))
    ahead = np.minimum(ahead, usual + _FAR_AHEAD * abs(usual))
    return float(ahead.mean()), max(float(ahead.std(ddof=1)), _LEAST_DEVIATION)


def _confusions(taught: DiceSet, trials: Sequence[_HeldOutShot]) -> list[Confusion]:
    values = [face.value for face in taught.faces]
    found = []
    for number, trial in enumerate(trials):
        leads = leads_of(trial.score, taught.offsets)
        best = best_face(leads)
        ahead = leads[best] < taught.margins[best]
        ahead[best] = False
        by_shape = int(np.argmin(np.where(trial.score > np.max(trial.score) - MAYBE, trial.shape, np.inf)))
        likely = dict.fromkeys((values[best], *(values[k] for k in np.flatnonzero(ahead)), values[by_shape]))
        if tuple(likely) != (values[trial.own],):
            found.append(Confusion(number, values[trial.own], tuple(likely)))
    return found


def _levelled(cut: Ink) -> Ink:
    """Stretch the levels to 0..255, whatever the light, so that a byte a pixel is enough."""
    low, high = (float(part) for part in np.percentile(cut[disc()], (1, 99)))
    return np.asarray(np.clip(20 + (cut - low) * (215 / max(high - low, 1e-6)), 0, 255), np.float32)
