"""Rigs for guided measuring, real and simulated: camera and sheet, camera and dice, servos.

A rig is what one session needs of a box and no more, so that a camera is calibrated where no servo works yet. Rigs know
nothing of the sessions that use them. The table that is played on is opened by `choose.py`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from controller.box.faults import apply_faults, check_faults, refuse_faults
from controller.box.real import choose_camera
from controller.box.real_firmware import open_real_firmware
from controller.box.saved import load_real_servos, load_simulated_servos
from controller.box.simulated import open_simulated_firmware
from controller.process import require_pi
from controller.settings import Home, Settings
from firmware.box_io import Firmware
from firmware.sim import pulse_sent_us
from hardware.box import Box, load_box
from hardware.box import Camera as CameraSettings
from hardware.servo_calibration import ServoCalibration, without_end_points
from hardware.sim import JUST_BUILT, Tolerances, World
from hardware.tiles import TileId
from vision.calibration import AdjustableCamera, WantedView
from vision.capture import Camera
from vision.sim import ExposedCamera, SimulatedCamera, SimulatedPerson, SimulatedTeacher
from vision.taught import Sides, Teaching, WantedShot


@dataclass(frozen=True, slots=True)
class CameraRig:
    """The camera to calibrate, and whoever holds the sheet under it.

    `show` asks for a view of the sheet (None: for the empty field). A person reads the words; the simulated one
    does as this says. `simulated_seed` is the simulated box's, None for a real one.
    """

    box: Box
    camera: AdjustableCamera
    show: Callable[[WantedView | None], None]
    simulated_seed: int | None = None


@dataclass(frozen=True, slots=True)
class DiceRig:
    """The camera over the baize. `lay` asks for dice: a person reads the words, the simulated one does as told."""

    box: Box
    camera: Camera
    lay: Callable[[WantedShot], None]


@dataclass(frozen=True, slots=True)
class DiceOrder:
    """The set that is to be taught, and whether a person is there to be asked (`ask`)."""

    name: str
    sides: Sides
    labels: tuple[tuple[int, str], ...]
    colours: tuple[str, ...]
    shots: int
    ask: bool

    @property
    def teaching(self) -> Teaching:
        """The teaching at its start. Raises `ValueError` for too few shots."""
        return Teaching(self.name, self.sides, self.labels, self.colours, self.shots)


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
    """The tiles to calibrate, the measured clocks of boards, and whether to ask before going on and saving.

    `tiles` are those that were asked for by name; none: all of them. The difference counts: what is measured poorly is
    saved only of a tile that was named. `clocks` are by address: pulse measured by pulse asked for.
    """

    tiles: tuple[TileId, ...]
    clocks: Mapping[str, float]
    ask: bool

    def of(self, box: Box) -> tuple[TileId, ...]:
        """The tiles to measure."""
        return self.tiles or box.tile_ids


def choose_camera_rig(box_name: str, settings: Settings, *, mock: bool, seed: int) -> Callable[[], CameraRig]:
    """Choose the camera to calibrate; the result opens it on the running loop. Raises `NoBox` and `BoxProfileError`."""
    box = load_box(box_name)
    if mock:
        return lambda: open_simulated_camera_rig(box, seed)
    require_pi()
    return lambda: CameraRig(
        box, _make_adjustable(box, settings, asyncio.get_running_loop().time), lambda _wanted: None
    )


def choose_servo_rig(
    box: Box,
    settings: Settings,
    home: Home,
    clocks: Mapping[str, float],
    *,
    mock: bool,
    seed: int,
    faults: Sequence[str],
) -> tuple[ServoCalibration | None, OpenServoRig]:
    """Choose the servos to calibrate: what was saved of them before, and what opens them on the running loop.

    They are opened without their end points, which are to be found.
    Raises `NoBox`, `CalibrationError`, `BadFault`.
    """
    if mock:
        check_faults(box, faults)
        before = load_simulated_servos(home.data, box, seed)
        bare = without_end_points(box, before, clocks)
        return before, lambda: _open_simulated_servos(bare, seed, faults)
    refuse_faults(faults)
    require_pi()
    before = load_real_servos(home.data, box)
    return before, partial(_open_real_servos, without_end_points(box, before, clocks), settings, home)


@asynccontextmanager
async def _open_simulated_servos(box: Box, seed: int, faults: Sequence[str]) -> AsyncIterator[ServoRig]:
    async with open_simulated_servo_rig(box, seed, faults=faults) as (rig, _):
        yield rig


@asynccontextmanager
async def open_simulated_servo_rig(
    box: Box, seed: int, tolerances: Tolerances = JUST_BUILT, faults: Sequence[str] = ()
) -> AsyncIterator[tuple[ServoRig, World]]:
    """Open the electronics of a simulated box just put together, on the running loop's clock; and the world below.

    The box is broken as `faults` say, before it is opened. Raises `BadFault`.
    """
    world = World(box, asyncio.get_running_loop().time, seed, tolerances=tolerances)
    apply_faults(world, faults)
    async with open_simulated_firmware(box, world) as firmware:
        yield ServoRig(box, firmware, seed), world


def end_errors_deg(world: World, tile: TileId, open_us: float, shut_us: float) -> tuple[float, float]:
    """The errors, in degrees, of the open and the shut end point of `tile` if it were sent these pulses."""
    board = world.box.tiles[tile].servo.board
    true_open_us, true_shut_us = world.end_points_us(tile)
    per_deg = (true_shut_us - true_open_us) / 90.0
    opened, shut = (pulse_sent_us(world, board, asked_us) for asked_us in (open_us, shut_us))
    return (opened - true_open_us) / per_deg, (shut - true_shut_us) / per_deg


@asynccontextmanager
async def _open_real_servos(box: Box, settings: Settings, home: Home) -> AsyncIterator[ServoRig]:
    async with open_real_firmware(box, settings, home) as firmware:
        yield ServoRig(box, firmware)


def choose_dice_rig(
    box_name: str, settings: Settings, order: DiceOrder, *, mock: bool, seed: int
) -> Callable[[], DiceRig]:
    """Choose the camera that is shown dice; the result opens it on the running loop.

    Raises `NoBox` and `BoxProfileError`.
    """
    box = load_box(box_name)
    if mock:
        return lambda: open_simulated_dice_rig(box, order, seed)
    require_pi()
    return lambda: DiceRig(box, choose_camera(settings, box, asyncio.get_running_loop().time), lambda _wanted: None)


def open_simulated_dice_rig(box: Box, order: DiceOrder, seed: int) -> DiceRig:
    """Open the simulated camera on the running loop's clock, and a person who lays the dice as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    teacher = SimulatedTeacher(world, box, order.sides, order.labels, order.colours)
    return DiceRig(box, SimulatedCamera(world, box), teacher.lay)


def _make_adjustable(box: Box, settings: Settings, clock: Callable[[], float]) -> AdjustableCamera:
    return AdjustableCamera(
        lambda locked: choose_camera(settings, box.model_copy(update={"camera": locked}), clock), box.camera
    )


def open_simulated_camera_rig(box: Box, seed: int) -> CameraRig:
    """Open the simulated camera on the running loop's clock, and a person who holds the sheet as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    person = SimulatedPerson(world, box)

    def opens(locked: CameraSettings) -> Camera:
        return ExposedCamera(SimulatedCamera(world, box), box.camera, locked)

    return CameraRig(box, AdjustableCamera(opens, box.camera), person.show, seed)
