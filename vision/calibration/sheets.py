"""The two sheets to print, as PDF in true scale: the calibration sheet and the markers of the field.

Everything is drawn as vector squares, so that a printer loses nothing. Positions on the paper are in mm from its
upper left corner; those of reportlab run from the lower left one, in points.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardware.box import Box
from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.field.markers import FIELD_MARKERS, draw_marker
from vision.libraries import cv2

COLUMNS, ROWS = 9, 6
SQUARE_MM, MARKER_MM = 26.0, 19.5
WIDTH_MM, DEPTH_MM = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
CORNERS = (COLUMNS - 1) * (ROWS - 1)
_LEAST_CORNERS = 6
_SHEET_MODULES = 7  # along the edge of a marker, its black border included
_FINE_PX = 5  # search range around the place of a corner that the markers predict
_EDGE_PART = 0.3  # part of a square around each corner in which the sharpness is measured

Square = tuple[float, float, float, float]
"""Left, upper, right and lower edge in mm from the upper left corner of the sheet."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetView:
    """The sheet in one picture."""

    numbers: NDArray[np.int64]  # (n,) of the inner corners that are seen, row by row from the upper left one
    corners_px: Real  # (n, 2): their places
    contrast: float  # step from black to white of the sheet, in levels
    edge_px: float  # width of the blur of its edges (standard deviation)

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
    dictionary = _board().getDictionary()
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


CAMERA_SHEET, MARKER_SHEET = "calibration-sheet.pdf", "marker-sheet.pdf"
_PAPER_MM = (297.0, 210.0)  # A4, landscape
_POINTS_PER_MM = 72 / 25.4
_RULER_MM = 100
_MARGIN_MM = 16.0
_CUT_MM = 8.0  # white paper around the chessboard
_MODULES = 6  # along the edge of a field marker, its black border included
_PLACES = ("far left", "far right", "near right", "near left")


def write_sheets(folder: Path, box: Box) -> tuple[Path, Path]:
    """Write both sheets for `box` into an existing folder and return their paths. Raises `OSError`."""
    camera, markers = folder / CAMERA_SHEET, folder / MARKER_SHEET
    for file, draw in ((camera, _draw_camera_sheet), (markers, _draw_marker_sheet)):
        paper = _Paper(file)
        draw(paper, box)
        paper.canvas.save()
    return camera, markers


class _Paper:
    """A file of A4 pages. Lifetime: one file, written by `canvas.save`. Concurrency: none."""

    def __init__(self, file: Path) -> None:
        from reportlab.pdfgen.canvas import Canvas

        size = tuple(side * _POINTS_PER_MM for side in _PAPER_MM)
        # Without `invariant` the file would contain the time and differ from one run to the next.
        self.canvas = Canvas(str(file), pagesize=size, invariant=1)
        self.canvas.setTitle(file.stem)

    def fill(self, squares: list[Square]) -> None:
        """Fill squares black, as one path: neighbours show no seam."""
        path = self.canvas.beginPath()
        for left, upper, right, lower in squares:
            path.rect(*self._at(left, lower), (right - left) * _POINTS_PER_MM, (lower - upper) * _POINTS_PER_MM)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def line(self, start: tuple[float, float], end: tuple[float, float], *, dashed: bool = False) -> None:
        self.canvas.setLineWidth(0.2 * _POINTS_PER_MM)
        self.canvas.setDash([4, 3] if dashed else [])
        self.canvas.line(*self._at(*start), *self._at(*end))

    def frame(self, box: Square) -> None:
        """Draw a dashed line to cut along."""
        left, upper, right, lower = box
        corners = ((left, upper), (right, upper), (right, lower), (left, lower))
        for index, corner in enumerate(corners):
            self.line(corner, corners[(index + 1) % 4], dashed=True)

    def write(self, x_mm: float, y_mm: float, words: str, size: float = 9.0) -> None:
        self.canvas.setFont("Helvetica", size)
        self.canvas.drawString(*self._at(x_mm, y_mm), words)

    def _at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        return x_mm * _POINTS_PER_MM, (_PAPER_MM[1] - y_mm) * _POINTS_PER_MM


def _draw_camera_sheet(paper: _Paper, box: Box) -> None:
    left, upper = (_PAPER_MM[0] - WIDTH_MM) / 2, 14.0
    paper.fill([(a + left, b + upper, c + left, d + upper) for a, b, c, d in black_squares()])
    right, lower = left + WIDTH_MM, upper + DEPTH_MM
    paper.frame((left - _CUT_MM, upper - _CUT_MM, right + _CUT_MM, lower + _CUT_MM))
    below = lower + _CUT_MM
    paper.write(left, below + 6, f"shutbox calibration sheet for the box {box.name}")
    paper.write(left, below + 11, "Print on A4 at 100 %. Cut along the line and glue it flat on stiff card.")
    _draw_ruler(paper, right - _RULER_MM, below + 6)


def _draw_ruler(paper: _Paper, left_mm: float, y_mm: float) -> None:
    paper.line((left_mm, y_mm), (left_mm + _RULER_MM, y_mm))
    for mm in range(0, _RULER_MM + 1, 5):
        paper.line((left_mm + mm, y_mm), (left_mm + mm, y_mm - (3.0 if mm % 10 == 0 else 1.5)))
    paper.write(left_mm, y_mm + 5, f"This line must measure {_RULER_MM} mm; if not, print again without scaling.")


def _draw_marker_sheet(paper: _Paper, box: Box) -> None:
    edge = box.field.marker_mm
    rim = edge / _MODULES
    step = max(edge + 2 * rim + 8.0, 38.0)
    a_page = int((_PAPER_MM[0] - 2 * _MARGIN_MM) // step)
    for number in FIELD_MARKERS:
        if number % a_page == 0:
            if number:
                paper.canvas.showPage()
            margin = box.field.marker_margin_mm
            paper.write(_MARGIN_MM, 20, f"shutbox field markers for the box {box.name}", 12)
            how = "Print on A4 at 100 %, on matt paper. Cut along the lines, keep the white rim, glue flat:"
            paper.write(_MARGIN_MM, 27, how)
            edges = f"black edge {margin:g} mm from the edges of the baize"
            paper.write(_MARGIN_MM, 32, f"{edges}, the corner with the small square to the far left.")
            _draw_ruler(paper, _MARGIN_MM, 195.0)
        left, upper, outer = _MARGIN_MM + number % a_page * step, 48.0, edge + 2 * rim
        paper.fill(modules_of(draw_marker(number, _MODULES), left + rim, upper + rim, edge))
        paper.frame((left, upper, left + outer, upper + outer))
        # In the outer corner of the rim, where neither edges nor corners of the marker are searched.
        paper.fill([(left + 0.3, upper + 0.3, left + 1.2, upper + 1.2)])
        paper.write(left, upper + outer + 6, f"{number}: {_PLACES[number]}", 10)
