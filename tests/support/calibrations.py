"""A camera as it was calibrated, and fields that it sees now."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from hardware.box import load_box
from hardware.calibration import CameraCalibration, Measured
from vision.calibration.measure import LensResult, calibration_of
from vision.field.field import Field, field_of
from vision.field.lens import Lens
from vision.field.markers import Corners
from vision.field.pose import FieldPrior, Pose, marker_corners_mm

BOX = load_box("two-level-9")
LENS = Lens(1280, 720, 1000.0, (640.0, 360.0), (-0.05, 0.01))
POSE = Pose(LENS, np.eye(3), np.array([138.0, 104.0, 402.0]))


def located(shift_px: float = 0.0, markers: Mapping[int, Corners] | None = None) -> Field:
    """The field as `POSE` sees it, the picture moved to the right, or with other markers."""
    seen = {
        number: POSE.to_px(marker_corners_mm(number, BOX.field, 4.0)) + np.array([shift_px, 0.0]) for number in range(4)
    }
    field = field_of(seen, FieldPrior(BOX.field, LENS, True))
    assert field is not None
    return replace(field, markers=markers) if markers is not None else field


def calibrated(date: datetime = datetime(2026, 11, 3, 12, 30, 5, tzinfo=UTC)) -> CameraCalibration:
    """What is kept of that camera."""
    result = LensResult(LENS, 0.2, 0.9, 0.001, 11)
    return calibration_of(result, located(), BOX.camera, Measured(date=date, author="ann"), "background-x.png")


CAMERA = calibrated()
