"""Finds the ArUco markers in a picture: at a first look, with patience, and where they must lie."""

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

FIELD_MARKERS = range(4)
_SLACK_PX = 12  # the picture is widened by this, so that a marker at its very edge has a rim
_ENLARGED = 1.5
_ALIKE = 0.62  # correlation of a marker and its drawing from which on it is believed

Corners = NDArray[np.float64]
Grey = NDArray[np.uint8]


def find_markers(pixels: Pixels) -> Mapping[int, Corners]:
    """The field's markers: number 0..3 to its corners (4, 2) in pixels, clockwise from its own upper left.

    Fewer than two call for a second, slower look: enlarged, and in the brightest colour of each pixel, in which
    a marker without a white rim still stands out from coloured baize. A number seen twice is believed nowhere.
    """
    found = _detect(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8), 1.0, 45)
    if len(found) >= 2:
        return found
    brightest = pixels.max(axis=2)
    larger = cv2.resize(brightest, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
    return {**_detect(np.asarray(larger, np.uint8), _ENLARGED, 65), **found}


def match_marker(view: Grey, number: int, expected: tuple[float, float], edge: float, reach: float) -> Corners | None:
    """The corners (4, 2) of a marker that must lie near `expected` (its far left corner) in a straightened view.

    `edge` is the marker's edge and `reach` how far to look on every side, both in view pixels. None when
    nothing there looks enough like it: it is covered, or not there.
    """
    left, top = (max(0, round(place - reach)) for place in expected)
    right, bottom = (round(place + edge + reach) for place in expected)
    window = view[top:bottom, left:right]
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    drawing = cv2.aruco.generateImageMarker(dictionary, number, max(6, round(edge)))
    if window.shape[0] < drawing.shape[0] or window.shape[1] < drawing.shape[1]:
        return None
    soft = cv2.GaussianBlur(drawing, (0, 0), 1.0)
    _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(window, soft, cv2.TM_CCOEFF_NORMED))
    if best < _ALIKE:
        return None
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * edge
    corner = np.array([left + x - 0.5, top + y - 0.5])
    return np.asarray(square + corner, np.float64)


def _detect(grey: Grey, scale: float, window_px: int) -> dict[int, Corners]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary, _parameters(window_px))
    slack = _SLACK_PX
    widened = cv2.copyMakeBorder(grey, slack, slack, slack, slack, cv2.BORDER_REPLICATE)
    quads, numbers, _ = detector.detectMarkers(widened)
    if len(quads) == 0:
        return {}
    seen = [int(number) for number in np.asarray(numbers).ravel()]
    return {
        number: (np.asarray(quad, np.float64).reshape(4, 2) - slack) / scale
        for number, quad in zip(seen, quads, strict=True)
        if number in FIELD_MARKERS and seen.count(number) == 1
    }


def _parameters(window_px: int) -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 3
    # Windows from less than a module to more than a marker: thin rims and soft shadows need both.
    parameters.adaptiveThreshWinSizeMin = 5
    parameters.adaptiveThreshWinSizeMax = window_px
    parameters.adaptiveThreshWinSizeStep = 10
    parameters.minMarkerPerimeterRate = 0.04
    parameters.polygonalApproxAccuracyRate = 0.05
    parameters.errorCorrectionRate = 1.0
    return parameters
