"""The baseline that our reader is compared with: the tutorials' way, blobs near each other are the pips of one die.

OpenCV's blob detector with its usual settings looks for dark round blobs in the whole picture; blobs are joined when
they lie near each other (DBSCAN with one neighbour, which is single linkage); a cluster of n blobs is a die of n. See
e.g. Q. Golsteyn, "Reading dice with OpenCV" (2020).
"""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, cv2
from vision.field import Corners
from vision.reading import DieReading, Reading, Reason, read, refused

_ROUND = 0.6  # the least inertia ratio of a blob
_BLUR_PX = 7
_NEAR = 40 / 1280  # blobs within this part of the picture's width belong together

Places = NDArray[np.float32]


def read_blobs(pixels: Pixels, markers: Iterable[Corners] = ()) -> Reading:
    """Read the dice in a picture (h, w, 3) as the tutorials do: it refuses only where it sees no blob at all.

    Blobs on the `markers`, each by its corners (4, 2) in the picture, are left out: the tutorials' tables have none.
    """
    found = _detector().detect(cv2.medianBlur(pixels, _BLUR_PX))
    places = np.array([blob.pt for blob in found], np.float32).reshape(-1, 2)
    for corners in markers:
        middle = corners.mean(axis=0)
        places = places[np.linalg.norm(places - middle, axis=1) > np.max(np.linalg.norm(corners - middle, axis=1))]
    dice = tuple(_die(places[members]) for members in cluster(places, _NEAR * pixels.shape[1]))
    return read(dice) if dice else refused(Reason.NO_DICE, "There are no blobs.")


def cluster(places: Places, near_px: float) -> list[list[int]]:
    """The rows of places (n, 2) that chains of steps of at most `near_px` join."""
    left = np.ones(len(places), bool)
    found = []
    while left.any():
        members = [int(np.flatnonzero(left)[0])]
        left[members] = False
        # The list grows while it is gone through, until no chain leads on.
        for place in members:
            near = np.flatnonzero(left & (np.linalg.norm(places - places[place], axis=1) <= near_px))
            left[near] = False
            members.extend(near.tolist())
        found.append(members)
    return found


def _die(places: Places) -> DieReading:
    x, y = places.mean(axis=0)
    return DieReading(len(places), (float(x), float(y)), 1.0, "")


@cache
def _detector() -> "cv2.SimpleBlobDetector":
    settings = cv2.SimpleBlobDetector.Params()
    settings.filterByInertia = True
    settings.minInertiaRatio = _ROUND
    return cv2.SimpleBlobDetector.create(settings)
