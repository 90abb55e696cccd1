"""Looks for dice beside the field: on the wall's rim, on the table. What lies there may belong to the throw."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cloth import Grey, Mask, components
from vision.field import Field, apply, inverse
from vision.segment import apart_boxes
from vision.view import MARGIN_MM, PX_PER_MM, Box, Places, View, field_px_per_mm, shrunk

_PX_PER_MM = 1.2
# Only what is as small and compact as a pip, and strong, says that a die may lie there.
_WINDOW_MM, _LEVELS = 5.0, 36.0
_PIP_MM2, _ASPECT = (1.5, 45.0), 3.6  # the three pips of a row of a 6 may be seen as one
_INNER_MM = 3.0  # so far within its edges the field is looked at in another way
_HALF_MM = 20.0  # what is cut out about a spot: a pip of a large die may be all that stands out
_LEAST = 2  # one alone may be a knot in the wood, and the throw then counts too few dice
_MOST = 4  # places that are looked at; where wood and print look like pips all over, dice do not stand out


def beside_field(view: View) -> list[Box]:
    """The boxes in view pixels beside the field in which dice may be; none overlaps another."""
    small, to_small = shrunk(view, _PX_PER_MM)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    scale = field_px_per_mm(view.field) / to_small[2, 2]
    at = _pips(grey, _outside(grey, view.field, to_small), scale)
    if len(at) == 0:
        return []
    places = (view.field.at_mm(apply(inverse(to_small), at), view.height_mm) + MARGIN_MM) * PX_PER_MM
    half = _HALF_MM * PX_PER_MM
    boxes = apart_boxes([(x - half, y - half, x + half, y + half) for x, y in places.tolist()])
    counts = [int(((places > box[:2]) & (places < box[2:])).all(axis=1).sum()) for box in boxes]
    best = np.argsort(-np.array(counts, int), kind="stable")[:_MOST]
    return [boxes[int(index)] for index in best if counts[index] >= _LEAST]


def _outside(grey: Grey, field: Field, to_small: NDArray[np.float64]) -> Mask:
    inner = np.array([_INNER_MM, _INNER_MM])
    far = np.array([field.width_mm, field.depth_mm]) - _INNER_MM
    corners = np.array([inner, [far[0], inner[1]], far, [inner[0], far[1]]])
    outside = np.ones(grey.shape, np.uint8)
    cv2.fillConvexPoly(outside, np.round(apply(to_small @ field.to_px, corners)).astype(np.int32), 0)
    return outside


def _pips(grey: Grey, where: Mask, px_per_mm: float) -> Places:
    """The middles (n, 2) of what may be pips."""
    window = round(_WINDOW_MM * px_per_mm) | 1
    kernel = np.ones((window, window), np.uint8)
    found = [np.zeros((0, 2))]
    for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        _, mask = cv2.threshold(cv2.morphologyEx(grey, way, kernel), _LEVELS, 1, cv2.THRESH_BINARY)
        _, _, table, middles = components(np.asarray(cv2.bitwise_and(mask, where), np.uint8))
        area = table[:, cv2.CC_STAT_AREA] / px_per_mm**2
        width, height = table[:, cv2.CC_STAT_WIDTH], table[:, cv2.CC_STAT_HEIGHT]
        like = (area > _PIP_MM2[0]) & (area < _PIP_MM2[1])
        like &= (width < _ASPECT * height) & (height < _ASPECT * width)
        like[0] = False
        found.append(middles[like])
    return np.concatenate(found)
