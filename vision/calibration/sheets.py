"""The two sheets to print, as PDF in true scale: the calibration sheet and the markers of the field.

Everything is drawn as vector squares, so that a printer loses nothing. Positions on the paper are in mm from its
upper left corner; those of reportlab run from the lower left one, in points.
"""

from pathlib import Path

from hardware.box import Box
from vision.calibration.charuco import DEPTH_MM, WIDTH_MM, Square, black_squares, modules_of
from vision.field.markers import FIELD_MARKERS, draw_marker

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
        paper.save()
    return camera, markers


class _Paper:
    """A file of A4 pages. Lifetime: one file, written by `save`. Concurrency: none."""

    def __init__(self, file: Path) -> None:
        from reportlab.pdfgen.canvas import Canvas

        size = tuple(side * _POINTS_PER_MM for side in _PAPER_MM)
        # Without `invariant` the file would contain the time and differ from one run to the next.
        self._canvas = Canvas(str(file), pagesize=size, invariant=1)
        self._canvas.setTitle(file.stem)

    def fill(self, squares: list[Square]) -> None:
        """Fill squares black, as one path: neighbours show no seam."""
        path = self._canvas.beginPath()
        for left, upper, right, lower in squares:
            path.rect(*self._at(left, lower), (right - left) * _POINTS_PER_MM, (lower - upper) * _POINTS_PER_MM)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def line(self, start: tuple[float, float], end: tuple[float, float], *, dashed: bool = False) -> None:
        self._canvas.setLineWidth(0.2 * _POINTS_PER_MM)
        self._canvas.setDash([4, 3] if dashed else [])
        self._canvas.line(*self._at(*start), *self._at(*end))

    def frame(self, box: Square) -> None:
        """Draw a dashed line to cut along."""
        left, upper, right, lower = box
        corners = ((left, upper), (right, upper), (right, lower), (left, lower))
        for index, corner in enumerate(corners):
            self.line(corner, corners[(index + 1) % 4], dashed=True)

    def write(self, x_mm: float, y_mm: float, words: str, size: float = 9.0) -> None:
        self._canvas.setFont("Helvetica", size)
        self._canvas.drawString(*self._at(x_mm, y_mm), words)

    def turn(self) -> None:
        self._canvas.showPage()

    def save(self) -> None:
        self._canvas.save()

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
                paper.turn()
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
