"""Rigs of a simulated box, on the running loop's clock, with a simulated person where one is needed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from functools import partial

from controller.box.faults import apply_faults, check_faults
from controller.box.job_requests import DiceOrder, ServoOrder
from controller.box.rigs import CameraRig, DiceRig, LendHands, OpenServoRig, ServoRig
from controller.box.simulated import open_simulated_firmware, reach_world
from controller.box.stored_calibration import load_simulated_servos
from controller.runtime.home import Home
from firmware.box_io import open_panel
from firmware.panel import Panel
from firmware.sim.pins import open_pin_factory
from hardware.box import Box
from hardware.calibration import ServoCalibration, without_end_points
from hardware.camera import Camera as CameraSettings
from hardware.sim.servo import CAREFUL, JUST_BUILT, Tolerances
from hardware.sim.world import World
from hardware.tiles import TileId
from hardware.wires import ServoChannel
from vision.calibration.exposure import AdjustableCamera
from vision.capture.frame import Camera
from vision.capture.turned import as_hung
from vision.sim.calibration_sheet import SimulatedPerson
from vision.sim.camera import ExposedCamera, SimulatedCamera
from vision.sim.custom_dice import SimulatedTeacher


def choose_simulated_servos(
    box: Box, built: Box, home: Home, order: ServoOrder, seed: int, faults: Sequence[str]
) -> tuple[ServoCalibration | None, OpenServoRig]:
    """Do as `Rigs.servos`, for a simulated box, built as the profile `built` says."""
    check_faults(built, faults)
    before = load_simulated_servos(home.data, box, seed)
    bare = without_end_points(box, before, order.clocks)
    return before, partial(_open_simulated_servos, bare, without_end_points(built, before, order.clocks), seed, faults)


@asynccontextmanager
async def _open_simulated_servos(box: Box, built: Box, seed: int, faults: Sequence[str]) -> AsyncIterator[ServoRig]:
    async with open_simulated_servo_rig(box, seed, faults=faults, built=built) as (rig, _):
        yield rig


@asynccontextmanager
async def open_simulated_servo_rig(
    box: Box,
    seed: int,
    tolerances: Tolerances = JUST_BUILT,
    faults: Sequence[str] = (),
    built: Box | None = None,
) -> AsyncIterator[tuple[ServoRig, World]]:
    """Open the electronics of a newly built simulated box with these faults; return the rig and the world.

    built: its profile as it was built, if it is driven by another. Raises `BadFault`.
    """
    world = World(built or box, asyncio.get_running_loop().time, seed, tolerances=tolerances)
    apply_faults(world, faults)
    async with open_simulated_firmware(box, world) as firmware:
        yield ServoRig(box, firmware, seed), world


def choose_simulated_bringup(
    built: Box, servos: ServoCalibration | None, seed: int, faults: Sequence[str], lend_hands: LendHands
) -> tuple[Callable[[Box], AbstractAsyncContextManager[ServoRig]], Callable[[ServoChannel], TileId | None]]:
    """Return what opens a simulated box as any profile says, and what is seen of it.

    It is the same wood each time, wired as `built` says. Seen is which tile a channel moves.

    servos: their calibration, with which they are as inexact as when they were calibrated. lend_hands: has hands reach
    this box while it is open. Raises `BadFault`.
    """
    check_faults(built, faults)
    world: World | None = None

    @asynccontextmanager
    async def open_rig(box: Box) -> AsyncIterator[ServoRig]:
        nonlocal world
        if world is None:
            tolerances = CAREFUL if servos is None else JUST_BUILT
            world = World(built, asyncio.get_running_loop().time, seed, tolerances=tolerances)
            apply_faults(world, faults)
        async with open_simulated_firmware(box, world) as firmware:
            lend_hands(partial(reach_world, world))
            try:
                yield ServoRig(box, firmware, seed)
            finally:
                lend_hands(None)

    return open_rig, lambda wire: None if world is None else world.tile_on(wire)


@contextmanager
def open_simulated_panel(box: Box, seed: int, built: Box | None = None) -> Iterator[Panel]:
    """Open button, lamp and lid of a simulated box."""
    world = World(built or box, asyncio.get_running_loop().time, seed)
    with open_panel(box, partial(open_pin_factory, world)) as panel:
        yield panel


def open_simulated_camera(box: Box, built: Box, seed: int, faults: Sequence[str]) -> Camera:
    """Return the camera of a simulated box with these faults, over an empty field."""
    world = World(built, asyncio.get_running_loop().time, seed)
    apply_faults(world, faults)
    return as_hung(SimulatedCamera(world, built), box.camera)


def open_simulated_dice_rig(
    box: Box, order: DiceOrder, seed: int, built: Box | None = None, faults: Sequence[str] = ()
) -> DiceRig:
    """Open the simulated camera, with a person who lays the dice as asked."""
    world = World(built or box, asyncio.get_running_loop().time, seed)
    apply_faults(world, faults)
    teacher = SimulatedTeacher(world, box, order.sides, order.labels, order.colours)
    return DiceRig(box, as_hung(SimulatedCamera(world, world.box), box.camera), teacher.lay)


def open_simulated_camera_rig(box: Box, seed: int, built: Box | None = None, faults: Sequence[str] = ()) -> CameraRig:
    """Open the simulated camera, with a person who holds the sheet as asked."""
    world = World(built or box, asyncio.get_running_loop().time, seed)
    apply_faults(world, faults)
    person = SimulatedPerson(world, box)

    def opens(locked: CameraSettings) -> Camera:
        return as_hung(ExposedCamera(SimulatedCamera(world, world.box), box.camera, locked), box.camera)

    return CameraRig(box, AdjustableCamera(opens, box.camera), person.show, seed)
