"""The calibration check: has the camera, or a marker by itself, moved since the calibration?"""

import numpy as np

from hardware.calibration import CameraCalibration
from vision.field import Field
from vision.reading import Reading, Reason, refused

_MOVED_PART = 4.0 / 1280  # of the picture's width: about 1.6 mm on the baize
_LEAST_MARKERS = 2  # of one alone nobody can tell whether it moved or the camera


def check_camera_place(field: Field, calibration: CameraCalibration | None) -> Reading | None:
    """Compare the markers' places in the picture with those at the calibration: None if they agree, else a refusal.

    The refusal's reason is `camera_moved`. Pictures of the calibration's size only. One marker elsewhere among others
    in place was moved itself, which is said so, with its place.
    """
    if calibration is None:
        return None
    moved = _shifts_px(field, calibration)
    limit_px = _MOVED_PART * calibration.width_px
    away = [number for number, px in moved.items() if px > limit_px]
    if len(moved) < _LEAST_MARKERS or not away:
        return None
    if len(away) == 1 and len(moved) > _LEAST_MARKERS:
        say = (
            f"Marker {away[0]} is not where it was ({moved[away[0]]:.0f} pixels off): lay it back, or calibrate again."
        )
        x, y = field.markers[away[0]].mean(axis=0).tolist()
        return refused(Reason.CAMERA_MOVED, say, at_px=(round(x, 1), round(y, 1)))
    worst = max(moved.values())
    say = f"The camera has moved since it was calibrated ({worst:.0f} pixels): set it back, or calibrate it again."
    return refused(Reason.CAMERA_MOVED, say)


def _shifts_px(field: Field, calibration: CameraCalibration) -> dict[int, float]:
    """The distance in pixels of the middle of each marker seen both times from its old place."""
    return {
        number: float(np.linalg.norm(corners.mean(axis=0) - np.mean(calibration.markers[number], axis=0)))
        for number, corners in field.markers.items()
        if number in calibration.markers
    }
