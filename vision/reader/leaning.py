"""Decides whether a die leans, or lies upon another one: by both networks, and by what sticks out beside it.

The face network sees little but the top; the stance network sees what is about it; and a die that does not lie flat
hides more on one side than a flat one would. Each of the three alone misses some, or calls flat dice leaning.
"""

import numpy as np

from vision.field.view import View
from vision.network.classified import ClassifiedFace
from vision.pips.face_check import FaceFit
from vision.reader.scan import Scan

# What sticks out beside a die that stands alone, and beside neighbours: so much where it hardly looks flat, and so much
# in any case.
# Areas are whole numbers: a limit lies between two of them.
_STICKS_OUT_MM2, _TOUCHED_MM2 = 3.5, 15.5
_MUCH_MM2, _TOUCHED_MUCH_MM2 = 23.5, 59.5
_ANYTHING_MM2 = 0.5
# In edges: middles of dice that touch are nearer than the first, and that of a die that touches the wall is nearer to
# the edge of the baize than the second.
_NEIGHBOUR, _AT_WALL = 1.8, 1.1
_MAY_LEAN = 0.8  # the network's chance that a die leans from which on it is asked to be thrown again
_HARDLY_FLAT = 0.15  # the chance that what is about a die looks unlike a flat one from which on little says more
# ... and from which on it does not lie flat: where its top looks as if it leant or anything sticks out; where neither
# does and it has something to lean on, which looks like a side of it; and where it has nothing, so that it can only lie
# on another one. Of 692 of our own that leant or lay on others 43 are taken for flat, with 0.6 for all three 44; of 254
# flat ones of another renderer 2 are taken for leaning, with 0.6 for all three 8.
_SEEN_NOT_FLAT, _BESIDE_SOMETHING, _ALONE = 0.5, 0.85, 0.7
_SEEMS_TO_LEAN = 0.05  # the face network's chance of a die that leans


def leans(view: View, die: ClassifiedFace, found: Scan, index: int) -> bool:
    """True when a die is likely to lean on something, or to lie on it.

    Beside a neighbour that it touches more sticks out: its shine, and what shines through it.
    """
    touched = _has_neighbour(die.face, found)
    chance, beside = found.leaning[index], found.overhangs[index]
    if die.tilt_chance > _MAY_LEAN or beside > (_TOUCHED_MUCH_MM2 if touched else _MUCH_MM2):
        return True
    if chance > _HARDLY_FLAT and beside > (_TOUCHED_MM2 if touched else _STICKS_OUT_MM2):
        return True
    if die.tilt_chance > _SEEMS_TO_LEAN or beside > _ANYTHING_MM2:
        return chance > _SEEN_NOT_FLAT
    return chance > (_BESIDE_SOMETHING if touched or _is_at_wall(view, die.face) else _ALONE)


def _has_neighbour(face: FaceFit, found: Scan) -> bool:
    """True when another die is so near that both may touch."""
    near = _NEIGHBOUR * face.edge_px
    return any(0 < float(np.linalg.norm(other.middle - face.middle)) < near for other in found.faces)


def _is_at_wall(view: View, face: FaceFit) -> bool:
    """True when a die is so near to an edge of the baize that it may touch the wall."""
    low, high = np.array(view.baize[:2]), np.array(view.baize[2:])
    return bool(np.minimum(face.middle - low, high - face.middle).min() < _AT_WALL * face.edge_px)
