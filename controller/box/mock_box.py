"""The mock-box, a simulated box in a process of its own: serve it, and join it over its socket.

Unlike the box of `simulated.py` it lives on when a daemon dies, as a real one does.
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

from controller.box.calibration_checks import log_camera_drift
from controller.box.chosen import ChosenBox
from controller.box.evidence import with_evidence
from controller.box.faults import apply_faults
from controller.box.hands import Hands
from controller.box.mock_link import ask_mock_box, greet_mock_box
from controller.box.saved import load_simulated_camera
from controller.box.table import Table, open_table
from controller.errors import NoBox
from controller.process import interrupt_on_signal, lock_socket, lock_tiles, notify
from controller.settings import Home, Settings
from firmware.box_io import open_firmware
from firmware.drivers import BusWorker
from firmware.sim import (
    RemoteComputer,
    RemoteHeader,
    RemoteWires,
    SimulatedComputer,
    SimulatedI2C,
    bus_handlers,
    chips_on,
    computer_handlers,
    open_pin_factory,
)
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.sim.remote import Link, RecordedWorld, box_handlers, open_server
from vision.sim import RemoteCamera, SimulatedCamera, camera_handlers

_log = logging.getLogger(__name__)

# A picture is painted beside the wire's traffic: with Python's 5 ms between two threads the wire would crawl.
_SWITCH_S = 0.0005


def serve_mock_box(box: Box, home: Home, *, seed: int, faults: Sequence[str], announce: Callable[[str], None]) -> None:
    """Serve a simulated box on the wall's clock until SIGINT or SIGTERM; `announce` is told once that it is served.

    Raises `BadFault`, `BoxError`, `NoBox` where another process has its tiles, `DaemonRuns` beside another mock-box.
    """
    home.make()
    store = home.simulated_tiles(box.name)
    with lock_tiles(store), lock_socket(home.mock_box_socket, "a mock-box"):
        world = RecordedWorld(box, time.monotonic, seed, store)
        apply_faults(world, faults)
        _serve(world, home, announce)


def _serve(world: RecordedWorld, home: Home, announce: Callable[[str], None]) -> None:
    sys.setswitchinterval(_SWITCH_S)
    interrupt_on_signal()
    handlers = {**box_handlers(world), **computer_handlers(SimulatedComputer(world))}
    # A picture takes long, and so does a bus that hangs: /OE must not wait for either.
    wires = chips_on(world, threading.Event().wait)
    slow = {**camera_handlers(SimulatedCamera(world, world.box)), **bus_handlers(wires)}
    with suppress(KeyboardInterrupt), open_server(home.mock_box_socket, handlers, slow) as server:
        announce(f"{world.box.name}, seed {world.seed}, is at {home.mock_box_socket}; Ctrl-C ends it")
        notify("READY=1")
        server.serve_forever()
    # The wood keeps where it has come to meanwhile.
    world.position(world.box.tile_ids[0])


def join_mock_box(home: Home, settings: Settings) -> ChosenBox:
    """Find the mock-box of this home; its table is not opened yet. Raises `NoBox` if none runs, `CalibrationError`.

    Nobody holds a sheet or lays dice in that process, and its servos were put in by a gauge: it is not calibrated.
    """
    box, seed = greet_mock_box(home)

    def open_table() -> AbstractAsyncContextManager[Table]:
        return with_evidence(_open_joined(home, box, load_simulated_camera(home.data, box, seed)), settings, home)

    open_table()  # a calibration that cannot be read is refused at once
    return ChosenBox(box, open_table, _refuse_calibrating, simulated=True)


def _refuse_calibrating() -> NoReturn:
    raise NoBox("a mock-box is not calibrated; a simulated box that is: `shutbox run --mock`")


@asynccontextmanager
async def _open_joined(home: Home, box: Box, calibration: CameraCalibration | None) -> AsyncIterator[Table]:
    place = home.mock_box_socket
    with (
        RemoteHeader(place) as header,
        # A bus that hangs takes its time.
        Link(place, patient=True) as bus,
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
            open_table(box, firmware, RemoteCamera(place), throw, calibration) as table,
        ):
            await log_camera_drift(table, calibration)
            reaching = Hands(box, partial(_reach, home))
            await reaching.look()
            yield replace(table, hands=reaching)


async def _reach(home: Home, do: str, words: Mapping[str, Any]) -> Mapping[str, Any]:
    # Not by the worker of the bus: a bus that hangs is mended by a hand.
    return await asyncio.to_thread(partial(ask_mock_box, home, do, **words))


def _log_failed_throw(thrown: Future[Any]) -> None:
    error = thrown.exception()
    if error is not None:
        _log.warning("no dice were thrown: %s", error)
