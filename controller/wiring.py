"""The one place that names real and simulated devices: it opens a table of the kind asked for.

Nothing above asks which one it got.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

from controller.calibrating import Bench
from controller.commands import StartGame
from controller.dice_sets import PIPS, DiceFolder
from controller.drift import real_calibration, simulated_calibration, tell_drift
from controller.errors import BadFault
from controller.lock import owned, wood_of_our_own
from controller.machine import need_a_pi
from controller.papers import calibration_missing, calibration_wrong, home_papers
from controller.rules import rules_of
from controller.servo_bench import Opening, ServoBench, real_servos, simulated_servos
from controller.settings import Home, Settings
from controller.table import Table, can_show
from controller.teaching import DiceBench, DiceOrder
from controller.wear import WearFile
from firmware.box_io import Firmware, open_firmware
from firmware.pi import PiComputer
from firmware.pi import open_i2c as open_real_i2c
from firmware.pi import open_pin_factory as open_real_pins
from firmware.sim import InPlaceExecutor, SimulatedComputer, open_i2c, open_pin_factory, pulse_sent_us
from hardware.box import Box, box_names, load_box
from hardware.box import Camera as CameraSettings
from hardware.calibration import CameraCalibration
from hardware.errors import CalibrationError, Fault
from hardware.servo_calibration import ServoCalibration, without_end_points
from hardware.sim.build import CAREFUL, JUST_BUILT, Build
from hardware.sim.faults import FAULTS as FAULTS
from hardware.sim.faults import apply_fault
from hardware.sim.world import World as World
from hardware.tiles import TileId
from vision.box_reader import BoxReader
from vision.calibrating.adjustable import AdjustableCamera
from vision.film import FileCamera
from vision.frame import Camera, Pixels
from vision.measuring.scoring import Truth
from vision.pi import V4l2Camera, open_camera
from vision.sim import ExposedCamera, SimulatedCamera, SimulatedPerson
from vision.sim.scene import render
from vision.sim.scenes import random_throw
from vision.sim.teacher import SimulatedTeacher
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
    """`NAME:PART,...` as single faults."""
    return tuple(word.strip() for word in words.split(",") if word.strip()) if words else ()


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
            yield replace(table, papers=_simulated_papers(world))


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
        _real_firmware(box, settings, home) as firmware,
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


def calibration_bench(box_name: str, settings: Settings, *, mock: bool, seed: int) -> Callable[[], Bench]:
    """The camera asked for, to be calibrated; open it on a running loop. Raises `NoBox` and `BoxProfileError`."""
    box = load_box(box_name)
    if mock:
        return lambda: simulated_bench(box, seed)
    need_a_pi()
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
    need_a_pi()
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
    async with open_firmware(
        box,
        open_i2c=lambda: open_i2c(world),
        open_pins=lambda: open_pin_factory(world),
        executor=InPlaceExecutor(),
        computer=SimulatedComputer(world),
    ) as firmware:
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
    async with _real_firmware(box, settings, home) as firmware:
        yield ServoBench(box, firmware)


def dice_bench(
    box_name: str, settings: Settings, order: DiceOrder, *, mock: bool, seed: int
) -> Callable[[], DiceBench]:
    """The camera asked for, to teach dice; open it on a running loop. Raises `NoBox` and `BoxProfileError`."""
    box = load_box(box_name)
    if mock:
        return lambda: simulated_dice_bench(box, order, seed)
    need_a_pi()
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
    async with _real_firmware(box, settings, home):
        pass


@asynccontextmanager
async def _real_firmware(box: Box, settings: Settings, home: Home) -> AsyncIterator[Firmware]:
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
