"""The servos that are to be calibrated, and what was saved of them before."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from firmware.box_io import Firmware
from hardware.box import Box
from hardware.calibration import FILE_NAME, earlier_calibrations, load_calibration, read_calibration
from hardware.errors import CalibrationError
from hardware.servo_calibration import ServoCalibration
from hardware.tiles import TileId


@dataclass(frozen=True, slots=True)
class ServoRig:
    """The open electronics of a box whose tiles may be driven over the whole range of their servos.

    `simulated_seed` is the simulated box's, None for a real one.
    """

    box: Box
    firmware: Firmware
    simulated_seed: int | None = None


OpenServoRig = Callable[[], AbstractAsyncContextManager[ServoRig]]


@dataclass(frozen=True, slots=True)
class ServoOrder:
    """Which tiles, what was measured of boards' clocks, and whether to ask before going on and saving.

    `tiles` are those that were asked for by name; none: all of them.
    """

    tiles: tuple[TileId, ...]
    clocks: Mapping[str, float]
    ask: bool

    def of(self, box: Box) -> tuple[TileId, ...]:
        """The tiles to measure."""
        return self.tiles or box.tile_ids


def real_servos(folder: Path, box: Box) -> ServoCalibration | None:
    """The saved calibration of the servos of this box. Raises `CalibrationError`, for another box's too."""
    return _of_box(folder, box, load_calibration(folder, box.name).servos, None)


def simulated_servos(folder: Path, box: Box, seed: int) -> ServoCalibration | None:
    """The saved calibration of the servos of the simulated box with this seed; any other is not its own.

    Raises `CalibrationError` for a file that cannot be right.
    """
    calibration = read_calibration(folder)
    if calibration is None or calibration.box != box.name:
        return None
    return _of_box(folder, box, calibration.servos, seed)


def servos_before(folder: Path, now: ServoCalibration) -> ServoCalibration | None:
    """The newest kept version of the same box's servos that is another one than `now`."""
    kept = (version.servos for version in earlier_calibrations(folder))
    ours = (servos for servos in kept if servos is not None and servos.simulated_seed == now.simulated_seed)
    return next((servos for servos in ours if servos != now), None)


def _of_box(folder: Path, box: Box, servos: ServoCalibration | None, seed: int | None) -> ServoCalibration | None:
    if servos is None or servos.simulated_seed != seed:
        return None
    unknown = servos.unknown_tiles(box)
    if unknown:
        names = ", ".join(map(str, unknown))
        raise CalibrationError(f"{folder / FILE_NAME}: servos: {box.name} has no {names}; calibrate its servos again")
    return servos
