"""The calibration sheet, drawn and found: a chessboard with a marker in each white square (ChArUco).

Any part of it can be told from any other, so that a hand may cover some. Its markers are from another dictionary than
those of the field, so that neither is mistaken for the other. It is small enough to lie on the baize within the tray.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.capture.libraries import cv2

COLUMNS, ROWS = 9, 6
SQUARE_MM, MARKER_MM = 26.0, 19.5
WIDTH_MM, DEPTH_MM = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
CORNERS = (COLUMNS - 1) * (ROWS - 1)
_LEAST_CORNERS = 6
_SHEET_MODULES = 7  # along the edge of a marker, its black border included
_FINE_PX = 5  # search range around the place of a corner that the markers predict
_EDGE_PART = 0.3  # part of a square around each corner in which the sharpness is measured

Real = NDArray[np.float64]
Square = tuple[float, float, float, float]
"""Left, upper, right and lower edge in mm from the upper left corner of the sheet."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetView:
    """The sheet in one picture.

    `numbers` (n,) of the inner corners that are seen count row by row from the upper left one.
    `corners_px` (n, 2) are their places.
    `contrast` is the step from black to white of the sheet in levels.
    `edge_px` is the width of the blur of its edges (standard deviation).
    """

    numbers: NDArray[np.int64]
    corners_px: Real
    contrast: float
    edge_px: float

    @property
    def corners_mm(self) -> Real:
        """Return the places of these corners on the sheet (n, 2)."""
        return np.asarray(corners_mm()[self.numbers], np.float64)

    @property
    def is_whole(self) -> bool:
        """Return True if every inner corner is seen."""
        return len(self.numbers) == CORNERS


@cache
def corners_mm() -> Real:
    """Return the inner corners (40, 2) of the sheet in mm from its upper left corner, row by row."""
    across, down = np.meshgrid(np.arange(1, COLUMNS), np.arange(1, ROWS))
    return np.asarray(np.column_stack((across.ravel(), down.ravel())) * SQUARE_MM, np.float64)


@cache
def black_squares() -> tuple[Square, ...]:
    """Return everything black on the sheet: the squares of the chessboard and the black modules of the markers."""
    chess = [
        (column * SQUARE_MM, row * SQUARE_MM, (column + 1) * SQUARE_MM, (row + 1) * SQUARE_MM)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if (row + column) % 2 == 0
    ]
    modules: list[Square] = []
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    for number, corners in zip(np.ravel(_board().getIds()), _board().getObjPoints(), strict=True):
        drawing = cv2.aruco.generateImageMarker(dictionary, int(number), _SHEET_MODULES)
        modules += modules_of(np.asarray(drawing, np.uint8), float(corners[0][0]), float(corners[0][1]), MARKER_MM)
    return (*chess, *modules)


def modules_of(drawing: NDArray[np.uint8], left_mm: float, upper_mm: float, edge_mm: float) -> list[Square]:
    """Return the black modules of a marker drawn with one pixel a module, as squares on the paper."""
    module = edge_mm / drawing.shape[0]
    return [
        (left_mm + x * module, upper_mm + y * module, left_mm + (x + 1) * module, upper_mm + (y + 1) * module)
        for y, x in zip(*np.nonzero(drawing == 0), strict=True)
    ]


def find_sheet(pixels: Pixels) -> SheetView | None:
    """Find the sheet in a picture; None when too little of it is seen to tell where it is."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = 9, 49
    parameters.adaptiveThreshWinSizeStep = 20
    detector = cv2.aruco.CharucoDetector(_board(), cv2.aruco.CharucoParameters(), parameters)
    found, numbers, _, _ = detector.detectBoard(grey)
    if np.size(numbers) < _LEAST_CORNERS:
        return None
    window = (_FINE_PX, _FINE_PX)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.001)
    fine = cv2.cornerSubPix(grey, np.asarray(found, np.float32).reshape(-1, 1, 2), window, (-1, -1), stop)
    corners = np.asarray(fine, np.float64).reshape(-1, 2)
    indices = np.asarray(numbers, np.int64).ravel()
    contrast, edge_px = _sharpness(grey, corners)
    return SheetView(indices, corners, contrast, edge_px)


def _sharpness(grey: NDArray[np.uint8], corners_px: Real) -> tuple[float, float]:
    """Return the contrast around the corners, and the width of the edges there.

    An edge blurred by a Gaussian rises by contrast / (width * sqrt(2 pi)) a pixel where it is steepest.
    """
    spacing = np.linalg.norm(np.diff(corners_px, axis=0), axis=1)
    reach = max(4, int(_EDGE_PART * float(np.median(spacing))))
    widths, contrasts = [], []
    for x, y in np.round(corners_px).astype(int):
        part = grey[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].astype(np.float32)
        if min(part.shape) < reach:
            continue
        black, white = (float(level) for level in np.percentile(part, (10, 90)))
        down, across = np.gradient(part)
        steepest = float(np.percentile(np.hypot(down, across), 97))
        contrasts.append(white - black)
        widths.append((white - black) / max(steepest, 1.0) / float(np.sqrt(2 * np.pi)))
    return (float(np.median(contrasts)), float(np.median(widths))) if widths else (0.0, float("inf"))


@cache
def _board() -> "cv2.aruco.CharucoBoard":
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, dictionary)
