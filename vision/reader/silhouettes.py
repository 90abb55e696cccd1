"""What a flat die with this top shows to the camera, and what it hides: top and sides in the view, its footprint on the
baize.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.field.view import Places, View
from vision.libraries import cv2
from vision.pips.face_check import FaceFit

BESIDE = 0.06  # edges by which a face may be off

Outline = NDArray[np.float32]
"""The corners (n, 2) or (n, 1, 2) of a convex outline in view pixels."""


def footprint(view: View, face: FaceFit) -> Places:
    """The outline (8, 2) on the baize in mm of what a flat die with this top face hides."""
    return np.concatenate((view.on_baize(face.corners), view.at_mm(face.corners)))


def are_on_tops(places: Places, faces: Sequence[FaceFit]) -> NDArray[np.bool_]:
    """True for the places (n, 2) of the view on one of these tops."""
    return _lie_within(places, [face.corners.astype(np.float32) for face in faces], faces, BESIDE)


def are_on_dice(view: View, places: Places, faces: Sequence[FaceFit], beside: float) -> NDArray[np.bool_]:
    """True for the places (n, 2) on what is seen of a flat die with one of these tops, or so many edges beside it."""
    return _lie_within(places, [_silhouette(view, face) for face in faces], faces, beside)


def _silhouette(view: View, face: FaceFit) -> Outline:
    """The outline of a flat die with this top: its foot is seen nearer to the camera."""
    foot = face.corners + view.slopes(face.middle[None])[0] * face.edge_px
    return np.asarray(cv2.convexHull(np.concatenate((face.corners, foot)).astype(np.float32)), np.float32)


def _lie_within(
    places: Places, outlines: Sequence[Outline], faces: Sequence[FaceFit], beside: float
) -> NDArray[np.bool_]:
    """True for the places (n, 2) within one of the faces' outlines, or so many edges beside it."""
    found = np.zeros(len(places), bool)
    for outline, face in zip(outlines, faces, strict=True):
        found |= _away(places, outline) < beside * face.edge_px
    return found


def _away(places: Places, outline: Outline) -> NDArray[np.float64]:
    """How far places (n, 2) lie outside an outline, in pixels; less than 0 inside."""
    return np.array([-cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in places], np.float64)
