"""Load the stored calibration of a box from its home folder: of its camera, of its servos, and the previous version.

A file belongs to one box. A simulated box is a different one for every seed, so measurements of a simulated box are
never used on a real one, or with another seed. For the real box, a file of another box is an error; for a simulated
box it counts as no file.
"""

from pathlib import Path

from hardware.box import Box
from hardware.calibration import (
    FILE_NAME,
    Calibration,
    CameraCalibration,
    ServoCalibration,
    earlier_calibrations,
    load_calibration,
    read_calibration,
)
from hardware.errors import CalibrationError


def load_real_camera(folder: Path, box: Box) -> CameraCalibration | None:
    """Load the calibration of the camera of this box; None if there is none. Raises `CalibrationError`."""
    camera = load_calibration(folder, box.name).camera
    # A simulated box of the same profile may have been calibrated in the same home.
    return camera if camera is not None and camera.simulated_seed is None else None


def load_simulated_camera(folder: Path, box: Box, seed: int) -> CameraCalibration | None:
    """Load the calibration of the camera of the simulated box with this seed; None if there is none.

    Raises `CalibrationError` for a file that cannot be right.
    """
    calibration = _read_of_box(folder, box)
    camera = calibration.camera if calibration is not None else None
    return camera if camera is not None and camera.simulated_seed == seed else None


def load_real_servos(folder: Path, box: Box) -> ServoCalibration | None:
    """Load the calibration of the servos of this box; None if there is none. Raises `CalibrationError`."""
    return _check_servos(folder, box, load_calibration(folder, box.name).servos, None)


def load_former_servos(folder: Path, box: Box) -> ServoCalibration | None:
    """Load the servos' calibration for a new measurement of this box; None if there is none.

    Values of another box, or of tiles that this box lacks, are left out instead of refused. Raises `CalibrationError`
    for a file that cannot be read.
    """
    calibration = _read_of_box(folder, box)
    servos = calibration.servos if calibration is not None else None
    if servos is None or servos.simulated_seed is not None:
        return None
    unknown = servos.unknown_tiles(box)
    return servos.model_copy(update={"tiles": {tile: at for tile, at in servos.tiles.items() if tile not in unknown}})


def load_simulated_servos(folder: Path, box: Box, seed: int) -> ServoCalibration | None:
    """Load the calibration of the servos of the simulated box with this seed; None if there is none.

    Raises `CalibrationError` for a file that cannot be right.
    """
    calibration = _read_of_box(folder, box)
    return _check_servos(folder, box, calibration.servos, seed) if calibration is not None else None


def previous_servos(folder: Path, now: ServoCalibration) -> ServoCalibration | None:
    """Return the newest stored version of the same box's servos that differs from `now`; None if there is none."""
    kept = (version.servos for version in earlier_calibrations(folder))
    ours = (servos for servos in kept if servos is not None and servos.simulated_seed == now.simulated_seed)
    return next((servos for servos in ours if servos != now), None)


def _read_of_box(folder: Path, box: Box) -> Calibration | None:
    calibration = read_calibration(folder)
    return calibration if calibration is not None and calibration.box == box.name else None


def _check_servos(folder: Path, box: Box, servos: ServoCalibration | None, seed: int | None) -> ServoCalibration | None:
    """Return the servos' calibration if it is this same box's. Raises `CalibrationError` if it names unknown tiles."""
    if servos is None or servos.simulated_seed != seed:
        return None
    unknown = servos.unknown_tiles(box)
    if unknown:
        names = ", ".join(map(str, unknown))
        raise CalibrationError(f"{folder / FILE_NAME}: servos: {box.name} has no {names}; calibrate its servos again")
    return servos
