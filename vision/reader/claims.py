"""Claim what lies where: the map shows where dice may lie, and the network for faces says what each of them shows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Real
from vision.field.view import AROUND_MM, PX_PER_MM, View, look_around
from vision.network.network import NOT_FLAT, Chances
from vision.network.networks import Networks

# The network for faces wants a die's middle within 1.2 mm, and the map is off by 0.7 mm each way (417 dice of a fresh
# set), and by more where dice touch: so it is asked about the place, and farther away where it is not certain yet.
_TURNS = np.arange(6) * math.pi / 3
_RING = np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))
_ABOUT = tuple(PX_PER_MM * ring for ring in (np.concatenate((np.zeros((1, 2)), 1.5 * _RING)), 3.0 * _RING))
CERTAIN = 0.95  # least chance of a value that is certain
# The map shows the middle of what it sees of a die; with 16 mm dice that was, on average of the same ones, at 11 mm.
_SEEN_AT = 0.69
# A die lies where the chances of the map and of the network for faces add up to more than this. From 1.1 to 1.5 it
# hardly matters; below 1.1 marks of wood and cloth pass for dice.
_SEEN = 1.2
# Nearer to a claim, or to a place without a die, none is asked: dice of 12 mm that touch are 12 mm apart, and the map's
# squares 4 mm.
_DIE, _NONE = 8.0 * PX_PER_MM, 3.0 * PX_PER_MM
_MOST_ASKED = 40  # likely places: in a field full of dice some are left over, and refused as unexplained


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A die that the networks see: its place (2,) in view pixels, the chance of the map that one lies there, and the
    chances (8) of what it shows.
    """

    place: Real
    shown: float
    chances: Chances

    @property
    def value(self) -> int:
        """The likeliest value."""
        return int(np.argmax(self.chances[1:NOT_FLAT])) + 1

    @property
    def leans(self) -> bool:
        """Whether it is likelier that the die does not lie flat."""
        return bool(self.chances[NOT_FLAT] > self.chances[self.value])


def find_claims(view: View, networks: Networks) -> list[Claim]:
    """Return the dice that the networks see, the most certain first."""
    mapped = networks.mapper(look_around(view))
    likely, shown = view.over_baize(mapped.places - AROUND_MM, _SEEN_AT * view.height_mm), mapped.chances
    left, top, right, bottom = view.baize
    claims: list[Claim] = []
    for _ in range(_MOST_ASKED):
        if len(likely) == 0:
            break
        place = _best_about(likely[0], claims, view, networks)
        chances = networks.classify(view.crops(place[None]), view.slopes(place[None]))[0]
        # A knot in the wood beside the baize may look like a leaning die: there it must show a value.
        inside = left < place[0] < right and top < place[1] < bottom
        is_die = shown[0] + (1 - chances[0] if inside else chances[1:NOT_FLAT].max()) > _SEEN
        if is_die:
            claims.append(Claim(place, float(shown[0]), chances))
        # Between dice that touch, places beside the middle of one may be the likeliest.
        answered, reach = (place, _DIE) if is_die else (likely[0], _NONE)
        others = np.linalg.norm(likely - answered, axis=1) > reach
        likely, shown = likely[others], shown[others]
    return claims


def _best_about(likely: Real, claims: Sequence[Claim], view: View, networks: Networks) -> Real:
    """Return the place (2,) about a likely one where a value shows most, at a glance, and no die was claimed."""
    best, most = likely, -math.inf
    for ring in _ABOUT:
        places = likely + ring
        places = places[[all(math.dist(place, claim.place) > _DIE for claim in claims) for place in places]]
        if len(places) == 0:
            break
        rows = networks.glance(view.crops(places), view.slopes(places))
        values = rows[:, 1:NOT_FLAT].max(axis=1)
        shows = values - rows[:, 0]
        if shows.max() > most:
            best, most = places[shows.argmax()], float(shows.max())
        if values.max() > CERTAIN:
            break
    return best
