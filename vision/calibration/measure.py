"""Measures the lens from views of the calibration sheet and the place of the camera from the field, and rates both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hardware.box import FieldLayout
from hardware.calibration import CameraCalibration, Measured, Verdict
from hardware.camera import Camera
from vision.calibration.sheets import SheetView
from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.field.field import Field, locate_field
from vision.field.lens import Lens, usual_lens
from vision.libraries import cv2
from vision.reading import Reading, Reason, refused

LEAST_VIEWS = 8  # the flat one, the one on the baize, four that lean, two corners: fewer leave the lens uncertain
_GRID = (8, 5)  # cells of the picture, across and down, to be covered by corners of the sheet
# Limits of the verdicts good and fair: the error in pixels of a picture 1280 wide, the covered part of the picture
# (negative: a lower limit), and one standard deviation of the focal length as a part of it.
_GOOD = (0.5, -0.6, 0.006)
_FAIR = (1.0, -0.4, 0.02)
_USUAL_WIDTH_PX = 1280
_TANGENTIAL_HELPS = 0.95  # tangential terms are used where they leave less than this part of the error,
_TANGENTIAL_PX = 0.02  # and this much less
_CARD_MM = 1.5  # the card that the sheet is glued on
_SHEET_HEIGHT_PART = 0.0025
_KNOWN_HEIGHT_PART = 0.02  # of the height at which the camera was calibrated


@dataclass(frozen=True, slots=True, eq=False)
class LensResult:
    """The lens as measured, with the quality of the measurement: a small error alone may come from too few views."""

    lens: Lens
    error_px: float  # root mean square distance of the corners from where the lens has them
    coverage: float  # part of the picture that was covered (0..1)
    focal_part: float  # one standard deviation of the focal length as a part of it
    views: int

    @property
    def verdict(self) -> Verdict:
        """Rate the lens by error, coverage and uncertainty of the focal length: good, fair or poor."""
        error_px = self.error_px * _USUAL_WIDTH_PX / self.lens.width_px
        seen = (error_px, -self.coverage, self.focal_part)
        if self.views < LEAST_VIEWS or not _are_within(seen, _FAIR):
            return "poor"
        return "good" if _are_within(seen, _GOOD) else "fair"


def _are_within(seen: tuple[float, float, float], limits: tuple[float, float, float]) -> bool:
    return all(value <= limit for value, limit in zip(seen, limits, strict=True))


def measure_lens(views: Sequence[SheetView], width_px: int, height_px: int) -> LensResult:
    """Return the lens that best explains these views of the flat sheet. Raises `ValueError` for fewer than three.

    After Zhang ("A flexible new technique for camera calibration", 2000), with square pixels, k1 and k2, and tangential
    terms only where they clearly help.
    """
    if len(views) < 3:
        raise ValueError(f"a lens is measured from at least 3 views, not {len(views)}")
    plain = _solve(views, width_px, height_px, cv2.CALIB_ZERO_TANGENT_DIST)
    bent = _solve(views, width_px, height_px, 0)
    helps = bent.error_px < _TANGENTIAL_HELPS * plain.error_px and plain.error_px - bent.error_px > _TANGENTIAL_PX
    return bent if helps else plain


def _solve(views: Sequence[SheetView], width_px: int, height_px: int, restraint: int) -> LensResult:
    start = usual_lens(width_px, height_px)
    matrix = np.array([[start.focal_px, 0, start.centre_px[0]], [0, start.focal_px, start.centre_px[1]], [0, 0, 1.0]])
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3 | restraint
    on_sheet = [np.column_stack((view.corners_mm, np.zeros(len(view.numbers)))).astype(np.float32) for view in views]
    in_picture = [view.corners_px.astype(np.float32) for view in views]
    error_px, matrix, bends, _, _, spreads, _, _ = cv2.calibrateCameraExtended(
        on_sheet, in_picture, (width_px, height_px), matrix, np.zeros(5), flags=flags
    )
    k1, k2, p1, p2 = (float(bend) for bend in np.ravel(bends)[:4])
    focal_px = float(matrix[0, 0])
    centre = (float(matrix[0, 2]), float(matrix[1, 2]))
    lens = Lens(width_px, height_px, focal_px, centre, (k1, k2), (p1, p2))
    # With a fixed aspect ratio OpenCV reports the spread of the vertical focal length alone.
    spread = float(max(np.ravel(spreads)[:2])) / focal_px
    # The cells of the picture in which some view has a corner of the sheet are covered.
    cells = (np.concatenate([view.corners_px for view in views]) / (width_px, height_px) * _GRID).astype(int)
    covered = np.unique(np.clip(cells, 0, np.array(_GRID) - 1), axis=0)
    return LensResult(lens, float(error_px), len(covered) / (_GRID[0] * _GRID[1]), spread, len(views))


def locate_on_sheet(pixels: Pixels, layout: FieldLayout, lens: Lens, on_baize: SheetView) -> Field | None:
    """Locate the field in a picture, at the height of the camera that a view of the sheet lying on the baize gives."""
    points = np.column_stack((on_baize.corners_mm, np.zeros(len(on_baize.numbers))))
    _, turn, place = cv2.solvePnP(points, lens.rays(on_baize.corners_px), np.eye(3), np.zeros(5))
    over_sheet_mm = abs(float((cv2.Rodrigues(turn)[0].T @ place)[2, 0]))
    return locate_field(pixels, layout, lens, over_sheet_mm + _CARD_MM, _SHEET_HEIGHT_PART)


def locate_calibrated(pixels: Pixels, layout: FieldLayout, camera: CameraCalibration) -> Field | None:
    """Locate the field in a picture of the calibrated camera, wherever it looks now.

    For a picture of another shape the lens is unknown, and the field is located as without a calibration.
    """
    as_laid = layout.model_copy(update={"marker_margin_mm": camera.inset_mm})
    bends = camera.radial, camera.tangential
    lens = Lens(camera.width_px, camera.height_px, camera.focal_px, camera.centre_px, *bends)
    field = locate_field(pixels, as_laid, lens, camera.camera_mm[2], _KNOWN_HEIGHT_PART)
    return replace(field, layout=layout) if field is not None else None


def calibration_of(
    result: LensResult,
    field: Field,
    settings: Camera,
    measured: Measured,
    background: str,
    simulated_seed: int | None = None,
) -> CameraCalibration:
    """Return everything measured, as it is stored: lens, pose, markers and the settings of the camera.

    Raises `ValueError` for a field without a pose.
    """
    if field.pose is None:
        raise ValueError("the field must have been located by its markers")
    lens = result.lens
    return CameraCalibration(
        date=measured.date,
        author=measured.author,
        width_px=lens.width_px,
        height_px=lens.height_px,
        focal_px=round(lens.focal_px, 3),
        centre_px=_round_all(lens.centre_px, 3),
        radial=_round_all(lens.radial, 6),
        tangential=_round_all(lens.tangential, 6),
        error_px=round(result.error_px, 4),
        views=result.views,
        verdict=result.verdict,
        exposure_us=settings.exposure_us,
        gain=settings.gain,
        colour_gains=settings.colour_gains,
        camera_mm=_round_all(field.pose.camera_mm, 2),
        turn=_round_rows(field.pose.turn, 8),
        inset_mm=round(field.inset_mm, 2),
        markers={number: _round_rows(field.markers[number], 2) for number in sorted(field.markers)},
        background=background,
        simulated_seed=simulated_seed,
    )


def _round_rows(rows: Real, digits: int) -> tuple[Any, ...]:
    return tuple(_round_all(row, digits) for row in rows)


def _round_all(values: Iterable[float], digits: int) -> tuple[Any, ...]:
    return tuple(round(float(value), digits) for value in values)


def png_of(pixels: Pixels) -> bytes:
    _, data = cv2.imencode(".png", pixels)
    return data.tobytes()


_MOVED_PART = 4.0 / 1280  # of the width of the picture: about 1.6 mm on the baize
_LEAST_MARKERS = 2  # with one alone it is unknown whether the marker or the camera moved


def check_camera_place(field: Field, calibration: CameraCalibration | None) -> Reading | None:
    """Return a refusal (`camera_moved`) if the markers are not where they were at the calibration, else None.

    Pictures of the calibrated size only. A single marker that is away while others are in place was moved itself; the
    refusal says so, with its place.
    """
    if calibration is None:
        return None
    moved = {
        number: float(np.linalg.norm(corners.mean(axis=0) - np.mean(calibration.markers[number], axis=0)))
        for number, corners in field.markers.items()
        if number in calibration.markers
    }
    limit_px = _MOVED_PART * calibration.width_px
    away = [number for number, px in moved.items() if px > limit_px]
    if len(moved) < _LEAST_MARKERS or not away:
        return None
    if len(away) == 1 and len(moved) > _LEAST_MARKERS:
        off = f"({moved[away[0]]:.0f} pixels off)"
        say = f"Marker {away[0]} is not where it was {off}: lay it back, or calibrate again."
        x, y = field.markers[away[0]].mean(axis=0).tolist()
        return refused(Reason.CAMERA_MOVED, say, at_px=(round(x, 1), round(y, 1)))
    worst = max(moved.values())
    say = f"The camera has moved since it was calibrated ({worst:.0f} pixels): set it back, or calibrate it again."
    return refused(Reason.CAMERA_MOVED, say)
