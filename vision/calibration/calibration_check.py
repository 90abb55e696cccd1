"""The calibration check: whether the camera, or a single marker, has moved since the calibration."""

import numpy as np

from hardware.calibration import CameraCalibration
from vision.field.field import Field
from vision.reading import Reading, Reason, refused

_MOVED_PART = 4.0 / 1280  # of the width of the picture: about 1.6 mm on the baize
_LEAST_MARKERS = 2  # with one alone it is unknown whether the marker or the camera moved


def check_camera_place(field: Field, calibration: CameraCalibration | None) -> Reading | None:
    """Compare the places of the markers in the picture with those at the calibration: None if they agree, else a
    refusal.

    The reason of the refusal is `camera_moved`. Pictures of the calibrated size only. A single marker that is away
    while others are in place was moved itself; the refusal says so, with its place.
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
        say = (
            f"Marker {away[0]} is not where it was ({moved[away[0]]:.0f} pixels off): lay it back, or calibrate again."
        )
        x, y = field.markers[away[0]].mean(axis=0).tolist()
        return refused(Reason.CAMERA_MOVED, say, at_px=(round(x, 1), round(y, 1)))
    worst = max(moved.values())
    say = f"The camera has moved since it was calibrated ({worst:.0f} pixels): set it back, or calibrate it again."
    return refused(Reason.CAMERA_MOVED, say)
