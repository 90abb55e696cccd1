"""Make the session that a job request asks for, with the panel of the box served meanwhile."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar, assert_never

from controller.box.choose import ChosenBox
from controller.box.job_requests import (
    BringUpOrder,
    CameraOrder,
    DiceOrder,
    JobOrder,
    SelftestOrder,
    ServoOrder,
    WiringOrder,
)
from controller.box.table import Table
from controller.jobs.dialog import Dialog, Result, Session
from controller.journal.copies import check_home
from controller.runtime.home import Home
from firmware.box_io import Firmware
from firmware.panel import Panel
from hardware.errors import BoxFault

_log = logging.getLogger(__name__)


class _WithPanel(Protocol):
    # A table, or a rig of servos, which is loaded only when it is asked for.
    @property
    def firmware(self) -> Firmware: ...


Opened = TypeVar("Opened", bound=_WithPanel)
# Serves button, lamp and lid during the block.
ServePanel = Callable[[Panel], AbstractAsyncContextManager[None]]


def session_for(
    order: JobOrder, box: ChosenBox, home: Home, serve: ServePanel, use: Callable[[str], None] = lambda _file: None
) -> Session:
    """Return the session for a job request on this box, with the data saved in this home.

    serve: serves the panel of the box while the session has it open. use: has the box used as the profile in a file
    describes it. Each kind is imported when it is requested, because most daemons never need one. Raises `BadOrder`,
    and errors that are known before the box is opened.
    """

    def open_table() -> AbstractAsyncContextManager[Table]:
        return _open_served(box.open_table, serve)

    match order:
        case ServoOrder():
            before, open_servos = box.rigs().servos(order)
            open_rig = partial(_open_served, open_servos, serve)
            if order.by_hand:
                from controller.jobs.jog import jog_session

                return jog_session(open_rig, home.data, before, order)
            from controller.jobs.servos import servo_session

            return servo_session(open_rig, home.data, before, order)
        case CameraOrder():
            from controller.jobs.camera import camera_session

            rigs = box.rigs()
            return _beside_panel(camera_session(rigs.camera(), home.data, order), rigs.panel(), serve)
        case DiceOrder():
            from controller.jobs.dice import dice_session
            from vision.custom_dice.storage import DiceFolder

            rigs = box.rigs()
            session = dice_session(rigs.dice(order), DiceFolder(home.data), order, home.settings)
            return _beside_panel(session, rigs.panel(), serve)
        case SelftestOrder():
            from controller.jobs.selftest import selftest_session

            wear = home.wear(box.box.name, mock=box.simulated)
            # Disk, clock and journal of this computer say nothing about a simulated box.
            return selftest_session(open_table, box.box, wear, () if box.simulated else check_home(home))
        case WiringOrder():
            from controller.jobs.selftest import wiring_session

            return wiring_session(open_table)
        case BringUpOrder():
            from controller.jobs.bringup import BringUpTask, bringup_session

            rigs = box.rigs()
            rig = rigs.bringup(order)
            served = replace(rig, open=lambda at: _open_served(lambda: rig.open(at), serve))
            return bringup_session(BringUpTask(served, home, order, rigs.look_at_camera, use))
        case _:
            assert_never(order)


@asynccontextmanager
async def _open_served(
    opening: Callable[[], AbstractAsyncContextManager[Opened]], serve: ServePanel
) -> AsyncIterator[Opened]:
    async with opening() as opened, serve(opened.firmware.panel):
        yield opened


def _beside_panel(
    session: Session, open_panel: Callable[[], AbstractContextManager[Panel]], serve: ServePanel
) -> Session:
    """Return the session with the panel opened and served beside it: the camera needs no other electronics.

    If the header cannot be opened the session runs without the button, since the camera can still be calibrated.
    """

    async def work(conversation: Dialog) -> Result:
        async with AsyncExitStack() as stack:
            try:
                panel = stack.enter_context(open_panel())
            except BoxFault as fault:
                _log.warning("panel not opened, so the button cannot stop this session fault=%s", fault)
            else:
                await stack.enter_async_context(serve(panel))
            return await session.work(conversation)

    return replace(session, work=work)
