"""Measures the camera with a printed sheet: lens, place, exposure and white balance."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from vision.calibration.adjustable import AdjustableCamera
    from vision.calibration.calibration_check import check_camera_place
    from vision.calibration.charuco import DEPTH_MM, WIDTH_MM, SheetView, black_squares, find_sheet
    from vision.calibration.exposure import better_exposure, first_exposure, levels_of, light_remark
    from vision.calibration.guided_views import ON_BAIZE, SheetViews, WantedView
    from vision.calibration.measure import (
        LensResult,
        calibration_of,
        locate_calibrated,
        locate_on_sheet,
        measure_lens,
        png_of,
    )
    from vision.calibration.sheets import write_sheets
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "DEPTH_MM",
    "ON_BAIZE",
    "WIDTH_MM",
    "AdjustableCamera",
    "LensResult",
    "SheetView",
    "SheetViews",
    "WantedView",
    "better_exposure",
    "black_squares",
    "calibration_of",
    "check_camera_place",
    "find_sheet",
    "first_exposure",
    "levels_of",
    "light_remark",
    "locate_calibrated",
    "locate_on_sheet",
    "measure_lens",
    "png_of",
    "write_sheets",
]
