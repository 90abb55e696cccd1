"""The panel at the table: the button gives commands, the lamp tells who is waited for."""

import asyncio
from contextlib import suppress

from controller.commands import Confirm, Park
from controller.errors import ShutboxError
from controller.referee import Referee, RollDice
from controller.snapshot import Snapshot
from firmware.lamp import Light
from firmware.panel import ButtonPressed, Panel


async def serve_panel(panel: Panel, referee: Referee) -> None:
    """Serve the panel until cancelled."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_button(panel, referee))
        tasks.create_task(_lamp(panel, referee))


async def _button(panel: Panel, referee: Referee) -> None:
    """Short: the next thing. Long: pause. A press that means nothing now is no mistake."""
    while True:
        event = await panel.next_event()
        if isinstance(event, ButtonPressed):
            with suppress(ShutboxError):
                await referee.ask(_meaning(event, referee.snapshot))


def _meaning(pressed: ButtonPressed, snapshot: Snapshot) -> Park | RollDice | Confirm:
    if pressed.long:
        return Park()
    return RollDice() if snapshot.phase == "awaiting_throw" else Confirm()


async def _lamp(panel: Panel, referee: Referee) -> None:
    async with referee.watch() as snapshots:
        while True:
            panel.show(light_for(await snapshots.get()))


def light_for(snapshot: Snapshot) -> Light:
    """Steady: your turn. Slow: the box is at work. Fast: it needs help. Dark: no game is on."""
    match snapshot.phase:
        case "halted":
            return Light.FAST
        case "moving":
            return Light.SLOW
        case "awaiting_throw" | "parked":
            return Light.STEADY
        case "choosing" | "turn_lost":
            return Light.SLOW if snapshot.house else Light.STEADY
    return Light.OFF
