"""Decide whether a die leans, or lies on another one: by both networks, and by what sticks out beside it.

The face network sees little but the top; the stance network sees the surroundings; and a die that does not lie flat
hides more on one side than a flat one would. Each of the three alone misses some, or calls flat dice leaning.
"""

import numpy as np

from vision.field.view import View
from vision.network.classified import ClassifiedFace
from vision.reader.scan import Scan

# Areas that stick out beside a die that stands alone, and beside neighbours: the limits if it hardly looks flat, and in
# any case. Areas are whole numbers, so a limit lies between two of them.
_STICKS_OUT_MM2, _TOUCHED_MM2 = 3.5, 15.5
_MUCH_MM2, _TOUCHED_MUCH_MM2 = 23.5, 59.5
_ANYTHING_MM2 = 0.5
# In edges: the middles of touching dice are nearer than the first, and the middle of a die that touches the wall is
# nearer to the edge of the baize than the second.
_NEIGHBOUR, _AT_WALL = 1.8, 1.1
_MAY_LEAN = 0.8  # above this chance from the network a die leans
_HARDLY_FLAT = 0.15  # above this chance of not lying flat a little overhang is enough
# ... and above these it does not lie flat: if its top seems to lean or anything sticks out; if neither is so but it has
# something to lean on, which looks like a side of it; and if it has nothing, so that it can only lie on another die. Of
# 692 rendered dice that leant or lay on others 43 pass for flat, with 0.6 for all three 44; of 254 flat ones of another
# renderer 2 pass for leaning, with 0.6 for all three 8.
_SEEN_NOT_FLAT, _BESIDE_SOMETHING, _ALONE = 0.5, 0.85, 0.7
_SEEMS_TO_LEAN = 0.05  # the face network's chance of a die that leans


def leans(view: View, die: ClassifiedFace, found: Scan, index: int) -> bool:
    """Return True when a die is likely to lean on something, or to lie on it.

    More sticks out beside a neighbour that it touches: its shine, and light through it.
    """
    face = die.face
    near = _NEIGHBOUR * face.edge_px
    touched = any(0 < float(np.linalg.norm(other.middle - face.middle)) < near for other in found.faces)
    chance, beside = found.leaning[index], found.overhangs[index]
    if die.tilt_chance > _MAY_LEAN or beside > (_TOUCHED_MUCH_MM2 if touched else _MUCH_MM2):
        return True
    if chance > _HARDLY_FLAT and beside > (_TOUCHED_MM2 if touched else _STICKS_OUT_MM2):
        return True
    if die.tilt_chance > _SEEMS_TO_LEAN or beside > _ANYTHING_MM2:
        return chance > _SEEN_NOT_FLAT
    low, high = np.array(view.baize[:2]), np.array(view.baize[2:])
    at_wall = np.minimum(face.middle - low, high - face.middle).min() < _AT_WALL * face.edge_px
    return chance > (_BESIDE_SOMETHING if touched or bool(at_wall) else _ALONE)
