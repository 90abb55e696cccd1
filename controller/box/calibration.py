"""Rigs for guided measuring, opened: a camera and who shows it what is asked for, dice to be taught, servos.

Real and simulated ones; `choose.py` opens the table that is played on. A rig is what a session needs of a box and no
more, so that a camera is calibrated where no servo works yet. Rigs know nothing of the sessions that use them.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from controller.box.faults import apply_faults
from controller.box.real import camera_of, real_firmware
from controller.box.servos import OpenServoRig, ServoRig, real_servos, simulated_servos
from controller.box.simulated import simulated_firmware
from controller.errors import BadFault
from controller.process import require_pi
from controller.settings import Home, Settings
from firmware.sim import pulse_sent_us
from hardware.box import Box, load_box
from hardware.box import Camera as CameraSettings
from hardware.servo_calibration import ServoCalibration, without_end_points
from hardware.sim import JUST_BUILT, Build, World
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


def choose_camera_rig(box_name: str, settings: Settings, *, mock: bool, seed: int) -> Callable[[], CameraRig]:
    """Choose the camera to calibrate; the result opens it on the running loop. Raises `NoBox` and `BoxProfileError`."""
    box = load_box(box_name)
    if mock:
        return lambda: open_simulated_camera_rig(box, seed)
    require_pi()
    return lambda: CameraRig(box, _adjustable(box, settings, asyncio.get_running_loop().time), lambda _wanted: None)


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

    Raises `NoBox`, `CalibrationError`, `BadFault`.
    """
    if mock:
        apply_faults(World(box, lambda: 0.0, 0), faults)
        before = simulated_servos(home.data, box, seed)
        bare = without_end_points(box, before, clocks)
        return before, lambda: _open_simulated_servos(bare, seed, faults)
    if faults:
        raise BadFault("--faults breaks the simulated box only; say --mock too")
    require_pi()
    before = real_servos(home.data, box)
    return before, partial(_open_real_servos, without_end_points(box, before, clocks), settings, home)


@asynccontextmanager
async def _open_simulated_servos(box: Box, seed: int, faults: Sequence[str]) -> AsyncIterator[ServoRig]:
    async with open_simulated_servo_rig(box, seed) as (rig, world):
        apply_faults(world, faults)
        yield rig


@asynccontextmanager
async def open_simulated_servo_rig(
    box: Box, seed: int, build: Build = JUST_BUILT
) -> AsyncIterator[tuple[ServoRig, World]]:
    """Open the electronics of a simulated box just put together, on the running loop's clock; and the world below."""
    world = World(box, asyncio.get_running_loop().time, seed, build=build)
    async with simulated_firmware(box, world) as firmware:
        yield ServoRig(box, firmware, seed), world


def end_errors_deg(world: World, tile: TileId, open_us: float, shut_us: float) -> tuple[float, float]:
    """By how many degrees `tile` would stand and lie beside its true ends if it were sent these pulses."""
    board = world.box.tiles[tile].servo.board
    true_open_us, true_shut_us = world.end_points_us(tile)
    per_deg = (true_shut_us - true_open_us) / 90.0
    opened, shut = (pulse_sent_us(world, board, asked_us) for asked_us in (open_us, shut_us))
    return (opened - true_open_us) / per_deg, (shut - true_shut_us) / per_deg


@asynccontextmanager
async def _open_real_servos(box: Box, settings: Settings, home: Home) -> AsyncIterator[ServoRig]:
    async with real_firmware(box, settings, home) as firmware:
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
    return lambda: DiceRig(box, camera_of(settings, box, asyncio.get_running_loop().time), lambda _wanted: None)


def open_simulated_dice_rig(box: Box, order: DiceOrder, seed: int) -> DiceRig:
    """Open the simulated camera on the running loop's clock, and a person who lays the dice as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    teacher = SimulatedTeacher(world, box, order.sides, order.labels, order.colours)
    return DiceRig(box, SimulatedCamera(world, box), teacher.lay)


def _adjustable(box: Box, settings: Settings, clock: Callable[[], float]) -> AdjustableCamera:
    return AdjustableCamera(
        lambda locked: camera_of(settings, box.model_copy(update={"camera": locked}), clock), box.camera
    )


def open_simulated_camera_rig(box: Box, seed: int) -> CameraRig:
    """Open the simulated camera on the running loop's clock, and a person who holds the sheet as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    person = SimulatedPerson(world, box)

    def opens(locked: CameraSettings) -> Camera:
        return ExposedCamera(SimulatedCamera(world, box), box.camera, locked)

    return CameraRig(box, AdjustableCamera(opens, box.camera), person.show, seed)
