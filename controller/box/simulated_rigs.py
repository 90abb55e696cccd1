"""Rigs of a simulated box, on the running loop's clock, with a simulated person where one is needed."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial

from controller.box.faults import apply_faults, check_faults
from controller.box.job_requests import DiceOrder, ServoOrder
from controller.box.rigs import CameraRig, DiceRig, OpenServoRig, ServoRig
from controller.box.simulated import open_simulated_firmware
from controller.box.stored_calibration import load_simulated_servos
from controller.settings import Home
from firmware.box_io import open_panel
from firmware.panel import Panel
from firmware.sim.pins import open_pin_factory
from hardware.box import Box
from hardware.calibration import ServoCalibration, without_end_points
from hardware.camera import Camera as CameraSettings
from hardware.sim.servo import JUST_BUILT, Tolerances
from hardware.sim.world import World
from vision.calibration.exposure import AdjustableCamera
from vision.capture.frame import Camera
from vision.sim.calibration_sheet import SimulatedPerson
from vision.sim.camera import ExposedCamera, SimulatedCamera
from vision.sim.custom_dice import SimulatedTeacher


def choose_simulated_servos(
    box: Box, home: Home, order: ServoOrder, seed: int, faults: Sequence[str]
) -> tuple[ServoCalibration | None, OpenServoRig]:
    """Do as `Rigs.servos`, for a simulated box."""
    check_faults(box, faults)
    before = load_simulated_servos(home.data, box, seed)
    bare = without_end_points(box, before, order.clocks)
    return before, partial(_open_simulated_servos, bare, seed, faults)


@asynccontextmanager
async def _open_simulated_servos(box: Box, seed: int, faults: Sequence[str]) -> AsyncIterator[ServoRig]:
    async with open_simulated_servo_rig(box, seed, faults=faults) as (rig, _):
        yield rig


@asynccontextmanager
async def open_simulated_servo_rig(
    box: Box, seed: int, tolerances: Tolerances = JUST_BUILT, faults: Sequence[str] = ()
) -> AsyncIterator[tuple[ServoRig, World]]:
    """Open the electronics of a newly built simulated box with these faults; return the rig and the world.

    Raises `BadFault`.
    """
    world = World(box, asyncio.get_running_loop().time, seed, tolerances=tolerances)
    apply_faults(world, faults)
    async with open_simulated_firmware(box, world) as firmware:
        yield ServoRig(box, firmware, seed), world


@contextmanager
def open_simulated_panel(box: Box, seed: int) -> Iterator[Panel]:
    """Open button, lamp and lid of a simulated box."""
    world = World(box, asyncio.get_running_loop().time, seed)
    with open_panel(box, partial(open_pin_factory, world)) as panel:
        yield panel


def open_simulated_dice_rig(box: Box, order: DiceOrder, seed: int) -> DiceRig:
    """Open the simulated camera, with a person who lays the dice as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    teacher = SimulatedTeacher(world, box, order.sides, order.labels, order.colours)
    return DiceRig(box, SimulatedCamera(world, box), teacher.lay)


def open_simulated_camera_rig(box: Box, seed: int) -> CameraRig:
    """Open the simulated camera, with a person who holds the sheet as asked."""
    world = World(box, asyncio.get_running_loop().time, seed)
    person = SimulatedPerson(world, box)

    def opens(locked: CameraSettings) -> Camera:
        return ExposedCamera(SimulatedCamera(world, box), box.camera, locked)

    return CameraRig(box, AdjustableCamera(opens, box.camera), person.show, seed)
