"""Load the stored calibration of a box from its home folder: of its camera, of its servos, and the previous version.

What is missing or wrong with it is a `Fault`: a finding of the self-test, for which the box is not driven in play.

A file belongs to one box. A simulated box is a different one for every seed, so measurements of a simulated box are
never used on a real one, or with another seed. For the real box, a file of another box is an error; for a simulated
box it counts as no file.
"""

from collections.abc import Iterable
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
from hardware.errors import CalibrationError, Fault


def load_readable(folder: Path, box: Box) -> Calibration:
    """Load what is saved of this box: nothing, too, if the file cannot be read or is another box's.

    What is wrong with the file is told when the box is to be driven by it.
    """
    try:
        return load_calibration(folder, box.name)
    except CalibrationError:
        return Calibration(box=box.name)


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


def calibrated_seed(folder: Path, box: Box) -> int | None:
    """Return the seed of the simulated box of this profile that was measured last; None if none was."""
    try:
        calibration = _read_of_box(folder, box)
    except CalibrationError:
        return None
    parts = () if calibration is None else (calibration.servos, calibration.camera)
    return next((part.simulated_seed for part in parts if part is not None and part.simulated_seed is not None), None)


def previous_servos(folder: Path, now: ServoCalibration) -> ServoCalibration | None:
    """Return the newest stored version of the same box's servos that differs from `now`; None if there is none."""
    kept = (version.servos for version in earlier_calibrations(folder))
    ours = (servos for servos in kept if servos is not None and servos.simulated_seed == now.simulated_seed)
    return next((servos for servos in ours if servos != now), None)


_PART = "calibration"
NOT_CALIBRATED = "C-103"


def find_uncalibrated(box: Box, servos: ServoCalibration | None) -> tuple[Fault, ...]:
    """Return the finding that the servos of some tiles, or of all, were never calibrated; none if all were."""
    measured = servos.tiles if servos is not None else {}
    left = [str(tile) for tile in box.tile_ids if tile not in measured]
    if not left:
        return ()
    seen = f"none for {', '.join(left)}" if measured else "none"
    cure = "Run `shutbox calibrate servos`, or start with --anyway, if you know that the profile's pulses are right."
    return (Fault(NOT_CALIBRATED, _PART, f"measured end points of the servos of {box.name}", seen, cure),)


def find_spoiled(box: Box, broken: Iterable[str]) -> tuple[Fault, ...]:
    """Return the findings about a simulated box whose calibration was spoiled by one of the faults `broken`."""
    problems = {
        "calibration:foreign": f"this is the calibration of another box than {box.name}",
        "calibration:damaged": "the calibration cannot be read: it ends in the middle of a line",
    }
    missing = find_uncalibrated(box, None) if "calibration:missing" in broken else ()
    error = CalibrationError
    wrong = [
        Fault(error.code, _PART, "a calibration of this box", problems[name], error.cure)
        for name in broken
        if name in problems
    ]
    return (*missing, *wrong)


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
