"""The panel of the box: the command of a press or of the lid, and the light that shows whom the box waits for."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import assert_never

from controller.errors import ShutboxError
from controller.game.core.commands import Park
from controller.game.fleet.commands import CallGo, Shout
from controller.game.shutbox.commands import RollDice
from controller.game.table.snapshot import Snapshot, agreed_command, asks_nothing
from controller.game.table.wire import ClientCommand
from controller.referee.referee import Referee
from firmware.panel import ButtonHeld, ButtonPressed, LidClosed, LidOpened, Light, Panel, PanelEvent

OnHold = Callable[[float], Awaitable[object]]
"""Called when somebody holds the button on purpose, with the seconds for which they have held it."""


async def serve_panel(panel: Panel, referee: Referee, on_hold: OnHold | None = None) -> None:
    """Serve the panel until cancelled. A press without a meaning at the moment is ignored.

    on_hold: None at a table where nobody can become an operator.
    """
    loop = asyncio.get_running_loop()

    async def show_light() -> None:
        async with referee.watch() as snapshots:
            while True:
                panel.show(light_for(await snapshots.get()))

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(show_light())
        while True:
            event = await panel.next_event()
            if isinstance(event, LidOpened | LidClosed):
                referee.note_lid(is_closed=panel.lid_is_closed)
            command = command_for(event, referee.snapshot)
            with suppress(ShutboxError):
                if on_hold is not None and isinstance(event, ButtonHeld):
                    await on_hold(loop.time() - event.since_s)
                if command is not None:
                    await referee.ask(command)


def command_for(event: PanelEvent, snapshot: Snapshot) -> ClientCommand | None:
    """Return the command of an event: a short press means the next thing, a long press or a closed lid a pause."""
    match event:
        case ButtonPressed(long=True) | LidClosed():
            return Park()
        case ButtonPressed():
            # Whatever anybody at the box may want next: a throw, GO, a shout in a race of two, or to agree.
            if snapshot.can("roll"):
                return RollDice()
            if snapshot.can("go"):
                return CallGo()
            if snapshot.can("shout") and len(snapshot.players) == 2:
                return Shout()
            return agreed_command(snapshot)
        case LidOpened() | ButtonHeld():
            return None
        case _:
            assert_never(event)


def light_for(snapshot: Snapshot) -> Light:
    """Return the light: steady for a turn, slow for work, fast for help or a yes, dark without a game."""
    if any(message.key == "access.pairing" for message in snapshot.messages):
        return Light.FAST
    if snapshot.job is not None:
        return Light.FAST if snapshot.job.question is not None and snapshot.job.question.waits else Light.SLOW
    if asks_nothing(snapshot):
        return Light.SLOW
    match snapshot.phase:
        case "halted" | "differing":
            return Light.FAST
        case "idle" | "ended" if any(message.key == "fault" for message in snapshot.messages):
            return Light.FAST
        case "moving" | "counting":
            return Light.SLOW
        case "awaiting_throw" | "rolling_off" | "naming" | "ready" | "racing" | "parked":
            return Light.STEADY
        case "choosing" | "turn_lost":
            return Light.SLOW if snapshot.house else Light.STEADY
    return Light.OFF
