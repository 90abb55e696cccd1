"""Compute what a flat die with a given top shows to the camera, and what it hides: top and sides in the view, its
footprint on the baize.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.field.view import Places, View
from vision.libraries import cv2
from vision.pips.face_check import FaceFit

BESIDE = 0.06  # error of a face's place, in edges

Outline = NDArray[np.float32]
"""The corners (n, 2) or (n, 1, 2) of a convex outline in view pixels."""


def footprint(view: View, face: FaceFit) -> Places:
    """Return the outline (8, 2) on the baize in mm of the area that a flat die with this top face hides."""
    return np.concatenate((view.on_baize(face.corners), view.at_mm(face.corners)))


def are_on_tops(places: Places, faces: Sequence[FaceFit]) -> NDArray[np.bool_]:
    """Return which of the places (n, 2) of the view lie on one of these tops."""
    return _lie_within(places, [face.corners.astype(np.float32) for face in faces], faces, BESIDE)


def are_on_dice(view: View, places: Places, faces: Sequence[FaceFit], beside: float) -> NDArray[np.bool_]:
    """Return which of the places (n, 2) lie on the visible part of a flat die with one of these tops, or `beside` edges
    from it.
    """
    outlines = []
    for face in faces:
        # The foot is seen nearer to the camera.
        foot = face.corners + view.slopes(face.middle[None])[0] * face.edge_px
        both = np.concatenate((face.corners, foot)).astype(np.float32)
        outlines.append(np.asarray(cv2.convexHull(both), np.float32))
    return _lie_within(places, outlines, faces, beside)


def _lie_within(
    places: Places, outlines: Sequence[Outline], faces: Sequence[FaceFit], beside: float
) -> NDArray[np.bool_]:
    """Return which of the places (n, 2) lie within one of the faces' outlines, or `beside` edges from it."""
    found = np.zeros(len(places), bool)
    for outline, face in zip(outlines, faces, strict=True):
        # Distances are in pixels, and less than 0 inside.
        away = [-cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in places]
        found |= np.array(away, np.float64) < beside * face.edge_px
    return found
