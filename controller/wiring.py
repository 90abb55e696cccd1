"""The one place that names real and simulated devices: it opens a table of the kind asked for.

Nothing above asks which one it got. Beside it, `calibration_wiring.py` opens what is calibrated.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from controller.commands import StartGame
from controller.dice_sets import PIPS, DiceFolder
from controller.drift import real_calibration, simulated_calibration, tell_drift
from controller.errors import BadFault
from controller.lock import owned, wood_of_our_own
from controller.machine import need_a_pi
from controller.papers import calibration_missing, calibration_wrong, home_papers
from controller.rules import rules_of
from controller.servo_bench import real_servos, simulated_servos
from controller.settings import Home, Settings
from controller.table import Table, can_show
from controller.wear import WearFile
from firmware.box_io import Firmware, open_firmware
from firmware.pi import PiComputer
from firmware.pi import open_i2c as open_real_i2c
from firmware.pi import open_pin_factory as open_real_pins
from firmware.sim import InPlaceExecutor, SimulatedComputer, open_i2c, open_pin_factory
from hardware.box import Box, box_names, load_box
from hardware.calibration import CameraCalibration
from hardware.errors import CalibrationError, Fault
from hardware.servo_calibration import ServoCalibration
from hardware.sim.build import CAREFUL, JUST_BUILT
from hardware.sim.faults import FAULTS as FAULTS
from hardware.sim.faults import apply_fault
from hardware.sim.world import World as World
from vision.box_reader import BoxReader
from vision.film import FileCamera
from vision.frame import Camera, Pixels
from vision.measuring.scoring import Truth
from vision.pi import V4l2Camera, open_camera
from vision.sim import SimulatedCamera
from vision.sim.scene import render
from vision.sim.scenes import random_throw
from vision.taught.faces import TaughtSet
from vision.watcher import Watcher

_BUS_DEVICE = Path("/dev/i2c-1")


def choose_table(
    box_name: str,
    settings: Settings,
    home: Home,
    *,
    mock: bool,
    faults: Sequence[str],
    seed: int | None,
    keep_tiles: bool = True,
) -> AbstractAsyncContextManager[Table]:
    """The table asked for, not yet opened. Raises `NoBox` off a Pi without `mock`, `BoxProfileError`, `BadFault`,
    `BadDice` for dice that were not taught.

    A simulated box keeps its tiles in the home folder, as wood would, unless `keep_tiles` is off.
    """
    box = load_box(box_name)
    if mock:
        home.make()
        store = home.simulated_tiles(box.name) if keep_tiles else None
        chance = secrets.randbits(32) if seed is None else seed
        calibration = simulated_calibration(home.data, box, chance)
        servos = simulated_servos(home.data, box, chance)
        table = simulated_table(box, seed=chance, faults=faults, store=store, calibration=calibration, servos=servos)
        return _with_book(table, WearFile(home.wear(box.name, mock=True), box.name))
    if faults:
        raise BadFault("--faults breaks the simulated box only; say --mock too")
    need_a_pi()
    home.make()
    sets = () if settings.dice == PIPS else (DiceFolder(home.data).load(settings.dice),)
    servos = real_servos(home.data, box)
    calibrated = servos.applied_to(box) if servos is not None else box
    table = real_table(calibrated, settings, home, real_calibration(home.data, box), sets)
    papers = (*home_papers(home), *([] if servos is not None else [calibration_missing(box.name)]))
    return _with_book(table, WearFile(home.wear(box.name, mock=False), box.name), papers)


@asynccontextmanager
async def _with_book(
    opening: AbstractAsyncContextManager[Table], wear: WearFile, papers: tuple[Fault, ...] = ()
) -> AsyncIterator[Table]:
    """The table with the book of its tiles, and with what is wrong with its papers."""
    async with opening as table:
        try:
            yield replace(table, wear=wear, papers=(*table.papers, *papers))
        finally:
            if wear.book.tiles:
                wear.keep()


def fault_names(words: str | None) -> tuple[str, ...]:
    """`NAME:PART,...` as single faults. Raises `BadFault` where none is named."""
    if words is None:
        return ()
    names = tuple(word.strip() for word in words.split(",") if word.strip())
    if not names:
        raise BadFault("--faults names no fault; `shutbox faults` lists them")
    return names


def default_box_for(start: StartGame) -> Box:
    """The smallest known box that can show a game; the reference build where it can. Raises `InvalidOption`."""
    rules = rules_of(start.game, start.options, start.marks)
    boxes = [load_box("two-level-9"), *known_boxes()]
    return next((box for box in boxes if can_show(rules, box)), boxes[0])


def known_boxes() -> list[Box]:
    """The boxes whose profiles come with the program."""
    return [load_box(name) for name in box_names()]


def simulated_table(
    box: Box,
    *,
    seed: int,
    faults: Sequence[str] = (),
    store: Path | None = None,
    calibration: CameraCalibration | None = None,
    servos: ServoCalibration | None = None,
) -> AbstractAsyncContextManager[Table]:
    """A simulated box on the running loop's clock, broken as `faults` say. Raises `BadFault` at once."""
    # A box that nobody uses is broken first, to refuse a wrong name before the start.
    apply_faults(World(box, lambda: 0.0, 0), faults)
    return _open_simulated(box, seed, faults, store, calibration, servos)


@asynccontextmanager
async def _open_simulated(
    box: Box,
    seed: int,
    faults: Sequence[str],
    store: Path | None,
    calibration: CameraCalibration | None,
    servos: ServoCalibration | None,
) -> AsyncIterator[Table]:
    opening = simulated_world(box, seed=seed, store=store, calibration=calibration, servos=servos)
    with wood_of_our_own(store):
        async with opening as (table, world):
            apply_faults(world, faults)
            await tell_drift(table, calibration)
            yield table_with_papers(table, world)


def table_with_papers(table: Table, world: World) -> Table:
    """The table of a simulated box, with what is wrong with its calibration."""
    return replace(table, papers=_simulated_papers(world))


def _simulated_papers(world: World) -> tuple[Fault, ...]:
    """What is wrong with the simulated box's calibration."""
    match world.calibration_fault:
        case None:
            return ()
        case "missing":
            return (calibration_missing(world.box.name),)
        case "foreign":
            problem = f"this is the calibration of another box than {world.box.name}"
        case _:
            problem = "the calibration cannot be read: it ends in the middle of a line"
    return (calibration_wrong(CalibrationError(problem)),)


@asynccontextmanager
async def simulated_world(
    box: Box,
    *,
    seed: int,
    store: Path | None = None,
    calibration: CameraCalibration | None = None,
    servos: ServoCalibration | None = None,
) -> AsyncIterator[tuple[Table, World]]:
    """A simulated box together with the world below it, for those who throw, break and compare.

    With `servos` it is the very box that was calibrated, put together without a gauge.
    """
    build = JUST_BUILT if servos is not None else CAREFUL
    world = World(box, asyncio.get_running_loop().time, seed, store, build)
    async with (
        open_firmware(
            servos.applied_to(box) if servos is not None else box,
            open_i2c=lambda: open_i2c(world),
            open_pins=lambda: open_pin_factory(world),
            executor=InPlaceExecutor(),
            computer=SimulatedComputer(world),
        ) as firmware,
        Watcher(
            SimulatedCamera(world, box),
            box.field,
            box.die_mm,
            reader=BoxReader(box.field, box.die_mm, calibration),
        ) as watcher,
    ):
        yield Table(box, firmware, watcher, world.throw_dice), world


@asynccontextmanager
async def real_table(
    box: Box,
    settings: Settings,
    home: Home,
    calibration: CameraCalibration | None = None,
    sets: tuple[TaughtSet, ...] = (),
) -> AsyncIterator[Table]:
    """The box itself: its bus and pins with one worker, its camera with another; people throw the dice."""
    if calibration is not None:
        box = box.model_copy(update={"camera": calibration.applied_to(box.camera)})
    clock: Callable[[], float] = asyncio.get_running_loop().time
    async with (
        real_firmware(box, settings, home) as firmware,
        Watcher(
            camera_of(settings, box, clock),
            box.field,
            box.die_mm,
            reader=BoxReader(box.field, box.die_mm, calibration, sets),
        ) as watcher,
    ):
        table = Table(box, firmware, watcher, _people_throw, sets[0].sides if sets else 6)
        await tell_drift(table, calibration)
        yield table


def camera_of(settings: Settings, box: Box, clock: Callable[[], float]) -> Camera:
    """The camera that the settings name, not yet opened. `clock` is the event loop's `time`."""
    kind, _, where = settings.camera.partition(":")
    match kind:
        case "v4l2":
            return V4l2Camera(where, box.camera, clock)
        case "files":
            return FileCamera(Path(where).expanduser(), clock)
    return open_camera(box.camera, clock)


def simulated_throw(seed: int, dice: int) -> tuple[Pixels, Truth]:
    """A picture of a throw, with what it shows; the same seed throws the same dice."""
    thrown = random_throw(seed, dice)
    return render(thrown.scene), Truth(thrown.category, thrown.family, thrown.values)


def _bus_of_our_own() -> AbstractContextManager[None]:
    """Homes differ from user to user, the bus is one: its device is what two processes must not share."""
    return owned(_BUS_DEVICE) if _BUS_DEVICE.exists() else nullcontext()


async def quiet(box: Box, settings: Settings, home: Home) -> None:
    """Switch every servo of the real box off, whatever a daemon left behind: opening and closing does it.

    Raises `NoBox` off a Pi.
    """
    need_a_pi()
    async with real_firmware(box, settings, home):
        pass


@asynccontextmanager
async def real_firmware(box: Box, settings: Settings, home: Home) -> AsyncIterator[Firmware]:
    """The electronics of the real box, with a worker of their own. Raises `DaemonRuns` if another process has them."""
    with _bus_of_our_own(), ThreadPoolExecutor(1, "bus") as worker:
        async with open_firmware(
            box,
            open_i2c=open_real_i2c,
            open_pins=lambda: open_real_pins(settings.pins),
            executor=worker,
            computer=PiComputer(),
            guards=home.guards,
        ) as firmware:
            yield firmware


def _people_throw(_count: int) -> None:
    """The dice are thrown by hand: being told of it changes nothing on the table."""


def apply_faults(world: World, faults: Sequence[str]) -> None:
    """Break `world` as each of `faults` says. Raises `BadFault` that lists what is allowed."""
    for fault in faults:
        try:
            apply_fault(world, fault)
        except ValueError as error:
            raise BadFault(str(error)) from error
