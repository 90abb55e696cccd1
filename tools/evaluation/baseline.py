"""The baseline for our reader, the way of the tutorials: blobs near each other are the pips of one die.

The blob detector of OpenCV with its usual settings searches dark round blobs in the whole picture; blobs that lie near
each other are joined (DBSCAN with one neighbour, which is single linkage); a cluster of n blobs is a die of n. See
e.g. Q. Golsteyn, "Reading dice with OpenCV" (2020).
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.field.markers import Corners
from vision.libraries import cv2
from vision.reading import DieReading, Reading, Reason, read, refused

_ROUND = 0.6  # the least inertia ratio of a blob
_BLUR_PX = 7
_NEAR = 40 / 1280  # blobs within this part of the width of the picture belong together

Places = NDArray[np.float32]


def read_blobs(pixels: Pixels, markers: Iterable[Corners] = ()) -> Reading:
    """Read the dice in a picture (h, w, 3) as the tutorials do: refused only where there is no blob at all.

    Blobs on the `markers`, each given by its corners (4, 2) in the picture, are left out: the tables of the tutorials
    have none.
    """
    found = _detector().detect(cv2.medianBlur(pixels, _BLUR_PX))
    places = np.array([blob.pt for blob in found], np.float32).reshape(-1, 2)
    for corners in markers:
        middle = corners.mean(axis=0)
        places = places[np.linalg.norm(places - middle, axis=1) > np.max(np.linalg.norm(corners - middle, axis=1))]
    dice = []
    for members in cluster(places, _NEAR * pixels.shape[1]):
        x, y = places[members].mean(axis=0)
        dice.append(DieReading(len(members), (float(x), float(y)), 1.0, ""))
    return read(tuple(dice)) if dice else refused(Reason.NO_DICE, "There are no blobs.")


def cluster(places: Places, near_px: float) -> list[list[int]]:
    """Group the rows of places (n, 2) that are joined by chains of steps of at most `near_px`."""
    left = np.ones(len(places), bool)
    found = []
    while left.any():
        members = [int(np.flatnonzero(left)[0])]
        left[members] = False
        # The list grows during the loop, until no chain continues.
        for place in members:
            near = np.flatnonzero(left & (np.linalg.norm(places - places[place], axis=1) <= near_px))
            left[near] = False
            members.extend(near.tolist())
        found.append(members)
    return found


@cache
def _detector() -> "cv2.SimpleBlobDetector":
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia = True
    settings.minInertiaRatio = _ROUND
    return cv2.SimpleBlobDetector.create(settings)
