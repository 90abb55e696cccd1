"""The mock-box, a simulated box in a process of its own: serve it, and join it over its socket.

Unlike the box of `simulated.py` it survives the daemon, as a real box does.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from controller.box.calibration_checks import log_camera_drift
from controller.box.chosen import ChosenBox
from controller.box.evidence import with_evidence
from controller.box.hands import Hands
from controller.box.mock_link import ask_mock_box, greet_mock_box
from controller.box.saved import load_simulated_camera
from controller.box.table import Table, open_table
from controller.box.untaught_dice import simulated_claim_dice
from controller.errors import NoBox
from controller.settings import Home, Settings
from firmware.box_io import open_firmware
from firmware.drivers.worker import BusWorker
from firmware.sim.computer import RemoteComputer
from firmware.sim.i2c import SimulatedI2C
from firmware.sim.pins import open_pin_factory
from firmware.sim.remote import RemoteHeader, RemoteWires
from hardware.box import Box
from hardware.calibration import CameraCalibration
from hardware.sim.remote.protocol import Link
from vision.sim.remote import RemoteCamera

_log = logging.getLogger(__name__)


def join_mock_box(home: Home, settings: Settings) -> ChosenBox:
    """Find the mock-box of this home, without opening its table. Raises `NoBox` if none runs, `CalibrationError`.

    It cannot be calibrated: its process simulates no person with a sheet or dice, and its servos are exact.
    """
    box, seed = greet_mock_box(home)

    def open_table() -> AbstractAsyncContextManager[Table]:
        return with_evidence(_open_joined(home, box, load_simulated_camera(home.data, box, seed)), settings, home)

    open_table()  # refuses an unreadable calibration at once
    return ChosenBox(box, open_table, _refuse_calibrating, simulated=True)


def _refuse_calibrating() -> NoReturn:
    raise NoBox("a mock-box is not calibrated; a simulated box that is: `shutbox run --mock`")


@asynccontextmanager
async def _open_joined(home: Home, box: Box, calibration: CameraCalibration | None) -> AsyncIterator[Table]:
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
                box, firmware, RemoteCamera(place), throw, calibration, claims=simulated_claim_dice("boat")
            ) as table,
        ):
            await log_camera_drift(table, calibration)
            reaching = Hands(box, partial(_reach, home))
            await reaching.look()  # so that `broken` has the faults of the start
            yield replace(table, hands=reaching)


async def _reach(home: Home, do: str, words: Mapping[str, Any]) -> Mapping[str, Any]:
    # Not in the bus worker, because hands must be able to repair a hanging bus.
    return await asyncio.to_thread(partial(ask_mock_box, home, do, **words))


def _log_failed_throw(thrown: Future[Any]) -> None:
    error = thrown.exception()
    if error is not None:
        _log.warning("dice were not thrown error=%s", error)
