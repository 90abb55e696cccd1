"""Refuses custom dice that lean, lie on another die or are of another size, though their tops are recognised.

The stance network knows the look of the sides of a flat die with pips, and numerals change little of it. But of a
die that hides another wholly no side is visible: only its drawing is larger, because it is nearer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Real
from vision.custom_dice.body import LIFT, Body
from vision.custom_dice.faces import Recognised, plain_colour
from vision.custom_dice.finding import FoundDie, crop_about
from vision.custom_dice.fitting import compare, rings_at, sharpen
from vision.custom_dice.reader import place_of
from vision.field.view import MARGIN_MM, PX_PER_MM, Cutout, View
from vision.foreground.survey import Survey
from vision.network.network import stance_network, stances_of
from vision.reader.refusal import LEANS
from vision.reading import Reading, Reason, refused

# The drawings of 394 flat dice were 0.991 to 1.011 times their taught size. One die higher, 400 mm below the camera,
# they are 1.044 times as large.
_SCALES = np.linspace(0.94, 1.06, 7)
_SMALLEST, _LEAST_LARGER = 0.97, 1.018
_TOWARDS_STACKED = 0.55  # part of the difference in size between a die on the baize and one on another
_FINER = 4
_SIDE_BY_SIDE = "lay your dice flat on the baize, side by side."


@dataclass(frozen=True, slots=True, eq=False)
class _Top:
    """A top as the stance network wants it: its middle in view pixels, its turn, its edge in pixels."""

    middle: Real
    turn_rad: float
    edge_px: float


def refuse_not_flat(view: View, found: Sequence[FoundDie]) -> Reading | None:
    """Refuse where one of these recognised dice does not lie flat, or is larger or smaller; else return None."""
    cubes = [die for die in found if die.taught.sides == 6]
    tops = [_Top(die.middle, die.answer.turn_rad, die.taught.shape.edge_mm * PX_PER_MM) for die in cubes]
    chances = stance_network().classify(stances_of(view, tops))
    for die, chance in zip(cubes, chances, strict=True):
        if chance > LEANS:
            say = f"One die is leaning on something or lying on another: {_SIDE_BY_SIDE}"
            return refused(Reason.STACKED, say, at_px=place_of(view, die))
    for die in cubes:
        scale = _scale_of(view, die)
        if scale > _largest(view, die):
            say = f"One die lies on another, or is larger than yours: {_SIDE_BY_SIDE}"
            return refused(Reason.STACKED, say, at_px=place_of(view, die))
        if scale < _SMALLEST:
            say = "One die is smaller than yours: take it away."
            return refused(Reason.UNEXPLAINED, say, at_px=place_of(view, die))
    return None


def is_raised(view: View, die: FoundDie) -> bool:
    """Return True if a die, by the size of its drawing, lies on another or is larger; it then seems displaced."""
    return isinstance(die.answer, Recognised) and _scale_of(view, die) > _largest(view, die)


def _largest(view: View, die: FoundDie) -> float:
    """Return the scale above which a die rather lies on another than on the baize."""
    high_mm, edge_mm = float(view.field.camera_mm[2]), die.taught.shape.edge_mm
    stacked = (high_mm - edge_mm) / (high_mm - 2 * edge_mm)
    return max(1 + _TOWARDS_STACKED * (stacked - 1), _LEAST_LARGER)


def _taught_of(view: View, die: FoundDie) -> tuple[Cutout, Body, int]:
    """Return the crop around a recognised die, its body and its face (the index), as they were taught."""
    taught, answer = die.taught, die.answer
    if not isinstance(answer, Recognised):
        raise ValueError("a die in doubt has neither a known face nor a known colour")
    crop = crop_about(view, float(die.middle[0]), float(die.middle[1]), taught.shape)
    body = next(body for body in taught.bodies if body.name == answer.colour)
    return crop, body, [face.value for face in taught.faces].index(answer.value)


def _scale_of(view: View, die: FoundDie) -> float:
    """Return the size of the drawing of a recognised die relative to its taught one: at the top of a parabola."""
    taught = die.taught
    crop, body, index = _taught_of(view, die)
    ink = body.ink(crop.pixels)
    known, at = taught.spectra[index : index + 1], (die.middle - (crop.left, crop.top))[None]
    radii = taught.radius_px * _SCALES
    scores = [compare(rings_at(sharpen(ink, radius), at, radius), known, _FINER).max() for radius in radii]
    best = min(max(int(np.argmax(scores)), 1), len(scores) - 2)
    before, top, after = scores[best - 1 : best + 2]
    bend = before - 2 * top + after
    step = float(_SCALES[1] - _SCALES[0])
    aside = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(_SCALES[best] + step * np.clip(aside, -1.0, 1.0))


_LEAST_DICE = 3  # of fewer it is unknown which is the odd one
# Logarithms: the tint of 1,470 dice was off by at most 0.08, their brightness by 0.2, where a lamp shone on one. A grey
# die among white ones is off by 0.5 in brightness, a lime one among yellow ones by 0.37 in tint.
_TINT, _BRIGHT = 0.2, 0.35
_ABOUT_MM = 25  # the cloth around a die that is examined


def refuse_other_tint(view: View, seen: Survey, found: Sequence[FoundDie]) -> Reading | None:
    """Refuse where one of these recognised dice is off its taught colour unlike most of them; else return None."""
    if len(found) < _LEAST_DICE:
        return None
    off = []  # from its taught colour, for each die: logarithms (3,), without the light that falls on it
    for die in found:
        crop, body, index = _taught_of(view, die)
        at = die.middle - (crop.left, crop.top)
        colour = plain_colour(crop.pixels, die.taught, index, at, die.answer.turn_rad)
        off.append(np.log(colour + LIFT) - np.log(body.bgr + LIFT) - _light_at(seen, die))
    alone = np.array(off) - np.median(off, axis=0)
    bright = alone.mean(axis=1)
    tint = np.linalg.norm(alone - bright[:, None], axis=1)
    how_odd = np.maximum(tint / _TINT, np.abs(bright) / _BRIGHT)
    odd = int(np.argmax(how_odd))
    if how_odd[odd] <= 1:
        return None
    say = "One die has not quite the colour of its set: take it away if it is none of yours, or lay it elsewhere."
    return refused(Reason.UNSURE, say, at_px=place_of(view, found[odd]))


def _light_at(seen: Survey, die: FoundDie) -> float:
    """Return the logarithm of the brightness of the plain cloth around a die; of all cloth where none is seen there."""
    foreground = seen.foreground
    plain = np.asarray(seen.inside & (1 - (foreground.odd | foreground.dark | foreground.shade)), np.bool_)
    x, y = np.round(die.outline_mm.mean(axis=0) + MARGIN_MM).astype(int).tolist()
    about = np.s_[max(0, y - _ABOUT_MM) : y + _ABOUT_MM + 1, max(0, x - _ABOUT_MM) : x + _ABOUT_MM + 1]
    cloth = seen.pixels[about][plain[about]]
    if not len(cloth):
        cloth = seen.pixels[plain]
    return float(np.median(np.log(cloth.astype(np.float64) + LIFT).mean(axis=1))) if len(cloth) else 0.0
