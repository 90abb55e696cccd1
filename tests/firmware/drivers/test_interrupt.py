"""How a hand that moves a tile is heard of: edges of the header, and the line that the expanders share."""

import asyncio

import pytest

from hardware.box import Box, load_box
from hardware.sim.faults import apply_fault
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin
from tests.support.firmware_rig import SHUT, Rig, open_rig

FRONT_7, FRONT_9 = TileId(1, 7), TileId(1, 9)
LONG_S = 60.0


async def heard_after_s(rig: Rig, tile: TileId, to: Position) -> float:
    """How long it takes until a hand at the tile is heard of, which has left it alone for a while."""
    loop = asyncio.get_running_loop()
    await rig.firmware.bank.look()
    await rig.firmware.bank.wait_for_change(0.5)
    waiting = asyncio.ensure_future(rig.firmware.bank.wait_for_change(LONG_S))
    await asyncio.sleep(10)
    moved_s = loop.time()
    rig.world.hand_moves(tile, to)
    await waiting
    return loop.time() - moved_s


def all_on_expanders() -> Box:
    """The reference build with its Hall sensors on expanders of their own."""
    box = load_box("two-level-9")
    pins = [pin for pin in range(16) if pin not in (7, 15)]
    free = (ExpanderPin(expander, pin) for expander in (0x22, 0x23) for pin in pins)
    tiles = {tile: wiring.model_copy(update={"shut": next(free)}) for tile, wiring in box.tiles.items()}
    return box.model_copy(update={"tiles": tiles})


@pytest.mark.parametrize("tile", [FRONT_7, FRONT_9], ids=["port A", "port B"])
@pytest.mark.parametrize("to", [SHUT, Position.BETWEEN])
@pytest.mark.parametrize(
    "box", [load_box("two-level-9"), all_on_expanders()], ids=["halls on the header", "on expanders"]
)
async def test_a_hand_is_heard_of_at_once(box: Box, to: Position, tile: TileId) -> None:
    async with open_rig(box) as rig:
        assert await heard_after_s(rig, tile, to) < 0.03


async def test_it_is_heard_of_again_after_every_look() -> None:
    async with open_rig(all_on_expanders()) as rig:
        for to in (SHUT, Position.OPEN, Position.BETWEEN):
            assert await heard_after_s(rig, FRONT_7, to) < 0.03


async def test_an_expander_that_lost_its_registers_calls_again() -> None:
    async with open_rig(all_on_expanders()) as rig:
        await rig.firmware.bank.look()
        for address in rig.box.expanders:
            rig.world.forget(address)
        assert await heard_after_s(rig, FRONT_7, SHUT) < 0.03


async def test_without_its_line_it_is_asked_often_or_waited_for() -> None:
    """A build without the line is asked every 30 ms; one whose line is broken is waited for in vain."""

    box = load_box("two-level-9")
    without = box.model_copy(update={"panel": box.panel.model_copy(update={"expander_interrupt": None})})
    loop = asyncio.get_running_loop()
    async with open_rig(without) as rig:
        began_s = loop.time()
        await rig.firmware.bank.wait_for_change(LONG_S)
        assert loop.time() - began_s == pytest.approx(0.03)
    async with open_rig(box) as rig:
        apply_fault(rig.world, "interrupt:high")
        began_s = loop.time()
        waiting = asyncio.ensure_future(rig.firmware.bank.wait_for_change(LONG_S))
        await asyncio.sleep(1)
        rig.world.hand_moves(FRONT_7, Position.BETWEEN)
        await waiting
        assert loop.time() - began_s == pytest.approx(LONG_S)
