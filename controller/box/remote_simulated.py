"""The mock-box, a simulated box in a process of its own: serve it, and join it over its socket.

Unlike the box of `simulated.py` it survives the daemon, as a real box does.
"""

import asyncio
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from controller.box.checks import log_camera_drift
from controller.box.choose import ChosenBox
from controller.box.dice import simulated_claim_dice
from controller.box.faults import apply_faults
from controller.box.simulated_actions import Hands, ask_mock_box, greet_mock_box
from controller.box.start import unusable_file
from controller.box.stored_calibration import load_simulated_camera
from controller.box.table import Table, open_table, with_evidence
from controller.errors import NoBox
from controller.runtime.home import Home
from controller.runtime.locks import lock_socket, lock_tiles
from controller.runtime.signals import interrupt_on_signal
from controller.runtime.systemd import notify
from controller.settings import Settings
from firmware.box_io import open_firmware
from firmware.drivers.bus_worker import BusWorker
from firmware.sim.i2c import SimulatedI2C, chips_on
from firmware.sim.pins import open_pin_factory
from firmware.sim.remote import (
    RemoteComputer,
    RemoteHeader,
    RemoteWires,
    SimulatedComputer,
    bus_handlers,
    computer_handlers,
)
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.errors import CalibrationError, Fault
from hardware.sim.link import Link
from hardware.sim.recorder import RecordingWorld
from hardware.sim.server import box_handlers, open_server
from vision.capture.turned import as_hung
from vision.sim.remote import RemoteCamera

_log = logging.getLogger(__name__)


def join_mock_box(home: Home, settings: Settings, *, anyway: bool = False, found: tuple[Fault, ...] = ()) -> ChosenBox:
    """Find the mock-box of this home, without opening its table. Raises `NoBox` if none runs.

    It cannot be calibrated: its process simulates no person with a sheet or dice, and its servos are exact.
    found: problems that were found before.
    """
    box, seed = greet_mock_box(home)

    def open_table() -> AbstractAsyncContextManager[Table]:
        calibration, wrong = None, found
        try:
            calibration = load_simulated_camera(home.data, box, seed)
        except CalibrationError as error:
            wrong = (*found, unusable_file(home, error, error.cure, error.code))
        return with_evidence(_open_joined(home, box, calibration, anyway=anyway, found=wrong), settings, home)

    return ChosenBox(box, open_table, _refuse_calibrating, simulated=True)


def _refuse_calibrating() -> NoReturn:
    raise NoBox("a mock-box is not calibrated; a simulated box that is: `shutbox run --mock`")


@asynccontextmanager
async def _open_joined(
    home: Home, box: Box, calibration: CameraCalibration | None, *, anyway: bool, found: tuple[Fault, ...]
) -> AsyncIterator[Table]:
    place = home.mock_box_socket
    with (
        RemoteHeader(place) as header,
        Link(place, patient=True) as bus,  # a hanging bus takes its time
        Link(place) as hands,
        BusWorker() as worker,
    ):

        def throw(count: int) -> None:
            worker.submit(hands.ask, "throw", dice=count).add_done_callback(_log_failed_throw)

        async with (
            open_firmware(
                box,
                open_i2c=lambda: SimulatedI2C(RemoteWires(bus)),
                open_pins=lambda: open_pin_factory(header),
                executor=worker,
                computer=RemoteComputer(hands),
                guards=home.guard_sockets,
            ) as firmware,
            open_table(
                box,
                firmware,
                as_hung(RemoteCamera(place), box.camera),
                throw,
                calibration,
                claims=simulated_claim_dice("boat"),
            ) as table,
        ):
            await log_camera_drift(table, calibration)
            reaching = Hands(box, partial(_reach, home))
            await reaching.look()  # so that `broken` has the faults of the start
            yield replace(table, hands=reaching, anyway=anyway, found=found)


async def _reach(home: Home, do: str, words: Mapping[str, Any]) -> Mapping[str, Any]:
    # Not in the bus worker, because hands must be able to repair a hanging bus.
    return await asyncio.to_thread(partial(ask_mock_box, home, do, **words))


def _log_failed_throw(thrown: Future[Any]) -> None:
    error = thrown.exception()
    if error is not None:
        _log.warning("dice were not thrown error=%s", error)


# Pictures are rendered in parallel with bus traffic, which Python's default switch interval of 5 ms would slow down.
_SWITCH_S = 0.0005


def serve_mock_box(box: Box, home: Home, *, seed: int, faults: Sequence[str], announce: Callable[[str], None]) -> None:
    """Serve a simulated box in real time until SIGINT or SIGTERM; `announce` is called once it is served.

    Raises `BadFault`, `BoxError`, `NoBox` if another process has its tiles, `DaemonRuns` if another mock-box runs.
    """
    # Imported here because a daemon that joins a mock-box renders no pictures.
    from vision.sim.camera import SimulatedCamera
    from vision.sim.remote import camera_handlers

    home.make()
    store = home.simulated_tiles(box.name)
    with lock_tiles(store), lock_socket(home.mock_box_socket, "a mock-box"):
        world = RecordingWorld(box, time.monotonic, seed, store)
        apply_faults(world, faults)
        sys.setswitchinterval(_SWITCH_S)
        interrupt_on_signal()
        handlers = {**box_handlers(world), **computer_handlers(SimulatedComputer(world))}
        # Pictures and a hanging bus take long, and /OE must not wait for either.
        wires = chips_on(world, threading.Event().wait)
        slow = {**camera_handlers(SimulatedCamera(world, world.box)), **bus_handlers(wires)}
        with suppress(KeyboardInterrupt), open_server(home.mock_box_socket, handlers, slow) as server:
            announce(f"{world.box.name}, seed {world.seed}, is at {home.mock_box_socket}; Ctrl-C ends it")
            notify("READY=1")
            server.serve_forever()
        # Asking for a position brings the world up to date and stores where the tiles are.
        world.position(world.box.tile_ids[0])
