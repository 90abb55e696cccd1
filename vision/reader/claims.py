"""Claim what lies where: the map shows where dice may lie, and the network for faces says what each of them shows."""

import math
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Real
from vision.field.view import AROUND_MM, PX_PER_MM, View, look_around
from vision.network.network import NOT_FLAT, Chances
from vision.network.networks import Networks

# The map's squares are 4 mm wide, and the network for faces wants a die's middle within 1.2 mm: it is asked here, too.
_TURNS = np.arange(6) * math.pi / 3
_RING = np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))
_ABOUT = PX_PER_MM * np.concatenate((np.zeros((1, 2)), 1.5 * _RING, 3.0 * _RING))
# A die lies where the chances of the map and of the network for faces add up to more than this. From 1.1 to 1.5 it
# hardly matters; below 1.1 marks of wood and cloth pass for dice.
_SEEN = 1.3
_BEST = 2  # places that show most at a glance, which are looked at again
# Squares this near a claim, or a square without a die, are not asked: dice of 12 mm that touch are 12 mm apart, and
# their middles within 3 mm of a square that shows them.
_DIE, _SQUARE = 8.0 * PX_PER_MM, 3.0 * PX_PER_MM
_MOST_ASKED = 40  # squares: in a field full of dice some are left over, and refused as unexplained


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
    squares, shown = view.over_baize(mapped.places - AROUND_MM), mapped.chances
    left, top, right, bottom = view.baize
    claims: list[Claim] = []
    for _ in range(_MOST_ASKED):
        if len(squares) == 0:
            break
        places = squares[0] + _ABOUT
        rows = networks.glance(view.crops(places), view.slopes(places))
        places = places[np.argsort(rows[:, 0] - rows[:, 1:NOT_FLAT].max(axis=1), kind="stable")[:_BEST]]
        rows = networks.classify(view.crops(places), view.slopes(places))
        best = int((rows[:, 1:NOT_FLAT].max(axis=1) - rows[:, 0]).argmax())
        place, chances = places[best], rows[best]
        # A knot in the wood beside the baize may look like a leaning die: there it must show a value.
        inside = left < place[0] < right and top < place[1] < bottom
        is_die = shown[0] + (1 - chances[0] if inside else chances[1:NOT_FLAT].max()) > _SEEN
        if is_die:
            claims.append(Claim(place, float(shown[0]), chances))
        # Between dice that touch, squares beside the middle of one may be the likeliest.
        answered, reach = (place, _DIE) if is_die else (squares[0], _SQUARE)
        others = np.linalg.norm(squares - answered, axis=1) > reach
        squares, shown = squares[others], shown[others]
    return claims
