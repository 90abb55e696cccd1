"""Refuses a die whose colour is off, though it is most like a taught one: a grey die is like a white one in the dark.

One light falls on all dice of a picture, so they all differ from their taught colours by the same factors, except for
the light at each place, which the cloth around it shows.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.field.view import MARGIN_MM, View
from vision.foreground.segment import Survey
from vision.reading import Reading, Reason, refused
from vision.taught.body import LIFT
from vision.taught.faces import Recognised, plain_colour
from vision.taught.finding import FoundDie, crop_about
from vision.taught.refusal import place_of

_LEAST_DICE = 3  # of fewer it is unknown which is the odd one
# Logarithms: the tint of 1,470 dice was off by at most 0.08, their brightness by 0.2, where a lamp shone on one. A grey
# die among white ones is off by 0.5 in brightness, a lime one among yellow ones by 0.37 in tint.
_TINT, _BRIGHT = 0.2, 0.35
_ABOUT_MM = 25  # the cloth around a die that is examined

Real = NDArray[np.float64]


def refuse_other_tint(view: View, seen: Survey, found: Sequence[FoundDie]) -> Reading | None:
    """Refuse where one of these recognised dice is off its taught colour unlike most of them; else return None."""
    if len(found) < _LEAST_DICE:
        return None
    off = np.array([_off_colour(view, die) - _light_at(seen, die) for die in found])
    alone = off - np.median(off, axis=0)
    bright = alone.mean(axis=1)
    tint = np.linalg.norm(alone - bright[:, None], axis=1)
    how_odd = np.maximum(tint / _TINT, np.abs(bright) / _BRIGHT)
    odd = int(np.argmax(how_odd))
    if how_odd[odd] <= 1:
        return None
    say = "One die has not quite the colour of its set: take it away if it is none of yours, or lay it elsewhere."
    return refused(Reason.UNSURE, say, at_px=place_of(view, found[odd]))


def _off_colour(view: View, die: FoundDie) -> Real:
    """Return how far a recognised die is off its taught colour: logarithms (3,)."""
    taught, answer = die.taught, die.answer
    if not isinstance(answer, Recognised):
        raise ValueError("only of a die that is recognised it can be said what colour it should have")
    crop = crop_about(view, float(die.middle[0]), float(die.middle[1]), taught.shape)
    index = [face.value for face in taught.faces].index(answer.value)
    colour = plain_colour(crop.pixels, taught, index, die.middle - (crop.left, crop.top), answer.turn_rad)
    body = next(body for body in taught.bodies if body.name == answer.colour)
    return np.asarray(np.log(colour + LIFT) - np.log(body.bgr + LIFT), np.float64)


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
