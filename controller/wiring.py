"""The one place that names real and simulated devices: it opens a table of the kind asked for.

Nothing above asks which one it got.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path

from controller.commands import StartGame
from controller.errors import BadFault, NoBox
from controller.lock import owned
from controller.rules import rules_of
from controller.settings import Home, Settings
from controller.table import Table, can_show
from firmware.box_io import Firmware, open_firmware
from firmware.pi import open_i2c as open_real_i2c
from firmware.pi import open_pin_factory as open_real_pins
from firmware.sim import InPlaceExecutor, open_i2c, open_pin_factory
from hardware.box import Box, box_names, load_box
from hardware.sim.faults import FAULTS as FAULTS
from hardware.sim.faults import apply_fault
from hardware.sim.world import World as World
from vision.pi import open_camera
from vision.sim import SimulatedCamera
from vision.watcher import Watcher

_MODEL = Path("/proc/device-tree/model")
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
    """The table asked for, not yet opened. Raises `NoBox` off a Pi without `mock`, `BoxProfileError`, `BadFault`.

    A simulated box keeps its tiles in the home folder, as wood would, unless `keep_tiles` is off.
    """
    box = load_box(box_name)
    if mock:
        home.make()
        store = home.simulated_tiles(box.name) if keep_tiles else None
        return simulated_table(box, seed=secrets.randbits(32) if seed is None else seed, faults=faults, store=store)
    if faults:
        raise BadFault("--faults breaks the simulated box only; say --mock too")
    _need_a_pi()
    return real_table(box, settings)


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
    box: Box, *, seed: int, faults: Sequence[str] = (), store: Path | None = None
) -> AbstractAsyncContextManager[Table]:
    """A simulated box on the running loop's clock, broken as `faults` say. Raises `BadFault` at once."""
    # A box that nobody uses is broken first, to refuse a wrong name before the start.
    apply_faults(World(box, lambda: 0.0, 0), faults)
    return _open_simulated(box, seed, faults, store)


@asynccontextmanager
async def _open_simulated(box: Box, seed: int, faults: Sequence[str], store: Path | None) -> AsyncIterator[Table]:
    async with simulated_world(box, seed=seed, store=store) as (table, world):
        apply_faults(world, faults)
        yield table


@asynccontextmanager
async def simulated_world(box: Box, *, seed: int, store: Path | None = None) -> AsyncIterator[tuple[Table, World]]:
    """A simulated box together with the world below it, for those who throw, break and compare."""
    world = World(box, asyncio.get_running_loop().time, seed, store)
    async with (
        open_firmware(
            box,
            open_i2c=lambda: open_i2c(world),
            open_pins=lambda: open_pin_factory(world),
            executor=InPlaceExecutor(),
        ) as firmware,
        Watcher(SimulatedCamera(world, box), box.field, box.die_mm) as watcher,
    ):
        yield Table(box, firmware, watcher, world.throw_dice), world


@asynccontextmanager
async def real_table(box: Box, settings: Settings) -> AsyncIterator[Table]:
    """The box itself: its bus and pins with one worker, its camera with another; people throw the dice."""
    clock: Callable[[], float] = asyncio.get_running_loop().time
    async with (
        _real_firmware(box, settings) as firmware,
        Watcher(open_camera(box.camera, clock), box.field, box.die_mm) as watcher,
    ):
        yield Table(box, firmware, watcher, _people_throw)


def _bus_of_our_own() -> AbstractContextManager[None]:
    """Homes differ from user to user, the bus is one: its device is what two processes must not share."""
    return owned(_BUS_DEVICE) if _BUS_DEVICE.exists() else nullcontext()


async def quiet(box: Box, settings: Settings) -> None:
    """Switch every servo of the real box off, whatever a daemon left behind: opening and closing does it.

    Raises `NoBox` off a Pi.
    """
    _need_a_pi()
    async with _real_firmware(box, settings):
        pass


@asynccontextmanager
async def _real_firmware(box: Box, settings: Settings) -> AsyncIterator[Firmware]:
    with _bus_of_our_own(), ThreadPoolExecutor(1, "bus") as worker:
        async with open_firmware(
            box, open_i2c=open_real_i2c, open_pins=lambda: open_real_pins(settings.pins), executor=worker
        ) as firmware:
            yield firmware


def _people_throw(_count: int) -> None:
    """The dice are thrown by hand: being told of it changes nothing on the table."""


def _need_a_pi() -> None:
    if not _MODEL.exists() or "Raspberry Pi" not in _MODEL.read_text("utf-8", "replace"):
        raise NoBox("this machine is no Raspberry Pi; say --mock for the simulated box")


def apply_faults(world: World, faults: Sequence[str]) -> None:
    """Break `world` as each of `faults` says. Raises `BadFault` that lists what is allowed."""
    for fault in faults:
        try:
            apply_fault(world, fault)
        except ValueError as error:
            raise BadFault(str(error)) from error
