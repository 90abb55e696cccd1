"""What calibrates the box, opened: its servos and its camera, real and simulated, and dice that are to be taught.

`choose.py` opens the table that is played on.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial

from controller.calibrating import Bench
from controller.errors import BadFault
from controller.fault_catalogue import apply_faults
from controller.machine import require_pi
from controller.real import camera_of, real_firmware
from controller.servo_bench import Opening, ServoBench, real_servos, simulated_servos
from controller.settings import Home, Settings
from controller.simulated import simulated_firmware
from controller.teaching import DiceBench, DiceOrder
from firmware.sim import pulse_sent_us
from hardware.box import Box, load_box
from hardware.box import Camera as CameraSettings
from hardware.servo_calibration import ServoCalibration, without_end_points
from hardware.sim.build import JUST_BUILT, Build
from hardware.sim.world import World
from hardware.tiles import TileId
from vision.calibrating.adjustable import AdjustableCamera
from vision.frame import Camera
from vision.sim import ExposedCamera, SimulatedCamera, SimulatedPerson
from vision.sim.teacher import SimulatedTeacher


def calibration_bench(box_name: str, settings: Settings, *, mock: bool, seed: int) -> Callable[[], Bench]:
    """The camera asked for, to be calibrated; open it on a running loop. Raises `NoBox` and `BoxProfileError`."""
    box = load_box(box_name)
    if mock:
        return lambda: simulated_bench(box, seed)
    require_pi()
    return lambda: Bench(box, _adjustable(box, settings, asyncio.get_running_loop().time), lambda _wanted: None)


def servo_bench(
    box: Box,
    settings: Settings,
    home: Home,
    clocks: Mapping[str, float],
    *,
    mock: bool,
    seed: int,
    faults: Sequence[str],
) -> tuple[ServoCalibration | None, Opening]:
    """What was saved of the servos that are to be calibrated, and how to open them on a running loop.

    Raises `NoBox`, `CalibrationError`, `BadFault`.
    """
    if mock:
        apply_faults(World(box, lambda: 0.0, 0), faults)
        before = simulated_servos(home.data, box, seed)
        bare = without_end_points(box, before, clocks)
        return before, lambda: _simulated_servo_bench(bare, seed, faults)
    if faults:
        raise BadFault("--faults breaks the simulated box only; say --mock too")
    require_pi()
    before = real_servos(home.data, box)
    return before, partial(_real_servo_bench, without_end_points(box, before, clocks), settings, home)


@asynccontextmanager
async def _simulated_servo_bench(box: Box, seed: int, faults: Sequence[str]) -> AsyncIterator[ServoBench]:
    async with simulated_servo_world(box, seed) as (bench, world):
        apply_faults(world, faults)
        yield bench


@asynccontextmanager
async def simulated_servo_world(
    box: Box, seed: int, build: Build = JUST_BUILT
) -> AsyncIterator[tuple[ServoBench, World]]:
    """A simulated box just put together, its electronics open, on the running loop's clock; and the world below it."""
    world = World(box, asyncio.get_running_loop().time, seed, build=build)
    async with simulated_firmware(box, world) as firmware:
        yield ServoBench(box, firmware, seed), world


def end_errors_deg(world: World, tile: TileId, open_us: float, shut_us: float) -> tuple[float, float]:
    """By how many degrees `tile` would stand and lie beside its true ends if it were sent these pulses."""
    board = world.box.tiles[tile].servo.board
    true_open_us, true_shut_us = world.end_points_us(tile)
    per_deg = (true_shut_us - true_open_us) / 90.0
    opened, shut = (pulse_sent_us(world, board, asked_us) for asked_us in (open_us, shut_us))
    return (opened - true_open_us) / per_deg, (shut - true_shut_us) / per_deg


@asynccontextmanager
async def _real_servo_bench(box: Box, settings: Settings, home: Home) -> AsyncIterator[ServoBench]:
    async with real_firmware(box, settings, home) as firmware:
        yield ServoBench(box, firmware)


def dice_bench(
    box_name: str, settings: Settings, order: DiceOrder, *, mock: bool, seed: int
) -> Callable[[], DiceBench]:
    """The camera asked for, to teach dice; open it on a running loop. Raises `NoBox` and `BoxProfileError`."""
    box = load_box(box_name)
    if mock:
        return lambda: simulated_dice_bench(box, order, seed)
    require_pi()
    return lambda: DiceBench(box, camera_of(settings, box, asyncio.get_running_loop().time), lambda _wanted: None)


def simulated_dice_bench(box: Box, order: DiceOrder, seed: int) -> DiceBench:
    """The simulated camera on the running loop's clock, and a person who lays the dice as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    teacher = SimulatedTeacher(world, box, order.sides, order.labels, order.colours)
    return DiceBench(box, SimulatedCamera(world, box), teacher.lay)


def _adjustable(box: Box, settings: Settings, clock: Callable[[], float]) -> AdjustableCamera:
    return AdjustableCamera(
        lambda locked: camera_of(settings, box.model_copy(update={"camera": locked}), clock), box.camera
    )


def simulated_bench(box: Box, seed: int) -> Bench:
    """The simulated camera on the running loop's clock, and a person who holds the sheet as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    person = SimulatedPerson(world, box)

    def opens(locked: CameraSettings) -> Camera:
        return ExposedCamera(SimulatedCamera(world, box), box.camera, locked)

    return Bench(box, AdjustableCamera(opens, box.camera), person.show, seed)
