"""The panel at the table: which command a press or the lid gives, and which light says whom the box waits for."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import assert_never

from controller.errors import ShutboxError
from controller.game import CallGo, ClientCommand, Park, RollDice, Shout, Snapshot, agreed_command, asks_nothing
from controller.referee.referee import Referee
from firmware.panel import ButtonHeld, ButtonPressed, LidClosed, LidOpened, Light, Panel, PanelEvent

OnHold = Callable[[float], Awaitable[object]]
"""What somebody means who holds the button on purpose, and has done so for so many seconds when he is heard."""


async def _nothing(_held_s: float) -> None:
    """At a table that nobody can become an operator of."""


async def serve_panel(panel: Panel, referee: Referee, on_hold: OnHold = _nothing) -> None:
    """Serve the panel until cancelled."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_obey_presses(panel, referee, on_hold))
        tasks.create_task(_show_light(panel, referee))


async def _obey_presses(panel: Panel, referee: Referee, on_hold: OnHold) -> None:
    """Do what is pressed. What means nothing now is no mistake."""
    loop = asyncio.get_running_loop()
    while True:
        event = await panel.next_event()
        if isinstance(event, LidOpened | LidClosed):
            referee.note_lid(is_closed=panel.lid_is_closed)
        command = command_for(event, referee.snapshot)
        with suppress(ShutboxError):
            if isinstance(event, ButtonHeld):
                await on_hold(loop.time() - event.since_s)
            if command is not None:
                await referee.ask(command)


def command_for(event: PanelEvent, snapshot: Snapshot) -> ClientCommand | None:
    """A short press commands the next thing; a long press, or the lid let down, a pause; None: no command."""
    match event:
        case ButtonPressed(long=True) | LidClosed():
            return Park()
        case ButtonPressed():
            return _command_for_press(snapshot)
        case LidOpened() | ButtonHeld():
            return None
        case _:
            assert_never(event)


def _command_for_press(snapshot: Snapshot) -> ClientCommand | None:
    """The next thing that anybody at the box may want: a throw, GO, a shout in a race of two, or to agree."""
    if snapshot.can("roll"):
        return RollDice()
    if snapshot.can("go"):
        return CallGo()
    if snapshot.can("shout") and len(snapshot.players) == 2:
        return Shout()
    return agreed_command(snapshot)


async def _show_light(panel: Panel, referee: Referee) -> None:
    async with referee.watch() as snapshots:
        while True:
            panel.show(light_for(await snapshots.get()))


def light_for(snapshot: Snapshot) -> Light:
    """Steady: your turn. Slow: the box is at work. Fast: it needs help, or a yes. Dark: no game is on."""
    if any(message.key == "access.pairing" for message in snapshot.messages):
        return Light.FAST
    if snapshot.job is not None:
        return Light.FAST if snapshot.job.question is not None and snapshot.job.question.waits else Light.SLOW
    if asks_nothing(snapshot):
        return Light.SLOW
    match snapshot.phase:
        case "halted" | "differing":
            return Light.FAST
        case "moving" | "counting":
            return Light.SLOW
        case "awaiting_throw" | "rolling_off" | "naming" | "ready" | "racing" | "parked":
            return Light.STEADY
        case "choosing" | "turn_lost":
            return Light.SLOW if snapshot.house else Light.STEADY
    return Light.OFF
