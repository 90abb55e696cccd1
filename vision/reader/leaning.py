"""Decides whether a die leans, or lies upon another one: by both networks, and by what sticks out beside it.

The face network sees little but the top; the stance network sees what is about it; and a die that does not lie flat
hides more on one side than a flat one would. Each of the three alone misses some, or calls flat dice leaning.
"""

import numpy as np

from vision.network import ClassifiedFace
from vision.reader.scan import Scan

# What sticks out beside a die that stands alone, and beside neighbours: so much where it hardly looks flat, and so much
# in any case.
# Areas are whole numbers: a limit lies between two of them.
_STICKS_OUT_MM2, _TOUCHED_MM2 = 3.5, 15.5
_MUCH_MM2, _TOUCHED_MUCH_MM2 = 23.5, 59.5
_NEIGHBOUR = 1.8  # middles of dice that touch are nearer than this, in edges
_MAY_LEAN = 0.8  # the network's chance that a die leans from which on it is asked to be thrown again
# With 0.45 for the first, 2 of 1,000 throws more are refused, for one stack in fifty.
_NOT_FLAT, _HARDLY_FLAT = 0.6, 0.15  # ... and the chances that what is about it looks unlike a flat die


def leans(die: ClassifiedFace, found: Scan, index: int) -> bool:
    """True when a die is likely to lean on something, or to lie on it.

    Beside a neighbour that it touches more sticks out: its shine, and what shines through it.
    """
    middle, near = die.face.middle, _NEIGHBOUR * die.face.edge_px
    touched = any(0 < float(np.linalg.norm(other.middle - middle)) < near for other in found.faces)
    chance, beside = found.leaning[index], found.overhangs[index]
    if die.tilt_chance > _MAY_LEAN or chance > _NOT_FLAT or beside > (_TOUCHED_MUCH_MM2 if touched else _MUCH_MM2):
        return True
    return chance > _HARDLY_FLAT and beside > (_TOUCHED_MM2 if touched else _STICKS_OUT_MM2)
