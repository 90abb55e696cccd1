"""Inputs of the header: with edges they report changes, without edges they are asked; the box opens either way."""

import asyncio
import logging
from collections.abc import Iterator

import pytest

from firmware.box_io import open_firmware
from firmware.errors import DeviceMissing
from firmware.panel import ButtonPressed, LidClosed, LidOpened, Panel, PanelEvent
from firmware.pi.pins import open_pin_factory
from firmware.sim.i2c import open_i2c
from firmware.sim.pins import open_pin_factory as open_sim_pins
from firmware.sim.remote import SimulatedComputer
from firmware.sim.worker import SimulatedWorker
from hardware.box import load_box
from hardware.sim.faults import apply_fault
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, GpioPin
from tests.support.firmware_rig import open_rig
from tests.support.recorders.installed import fresh_factories, install_rpigpio
from tests.support.recorders.lines import HeaderLines
from tests.support.true_box import fail_at_once

EDGELESS = ["header:edgeless"]
FRONT_1 = TileId(1, 1)
BUTTON, LID = 24, 23  # of two-level-9


async def events(panel: Panel, within_s: float = 3.0) -> list[PanelEvent]:
    heard: list[PanelEvent] = []
    try:
        async with asyncio.timeout(within_s):
            while True:
                heard.append(await panel.next_event())
    except TimeoutError:
        return heard


async def test_a_header_with_edges_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        assert rig.firmware.has_edges
    assert "H-213" not in caplog.text


async def test_a_header_without_edges_opens_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    async with open_rig(faults=EDGELESS) as rig:
        assert not rig.firmware.has_edges
    said = [record for record in caplog.records if "H-213" in record.getMessage()]
    assert [record.levelno for record in said] == [logging.WARNING]
    assert 'pins = "lgpio"' in said[0].getMessage()


@pytest.mark.parametrize("late_s", [0.0, 0.003, 0.01, 0.017, 0.0199])
@pytest.mark.parametrize(("seconds", "heard"), [(0.065, [False]), (0.1, [False]), (0.7, [False]), (1.0, [True])])
async def test_no_press_is_missed(seconds: float, heard: list[bool], late_s: float) -> None:
    async with open_rig(faults=EDGELESS) as rig:
        await asyncio.sleep(late_s)
        rig.world.press_button(seconds)
        assert await events(rig.firmware.panel) == [ButtonPressed(long) for long in heard]


async def test_presses_come_one_after_the_other() -> None:
    async with open_rig(faults=EDGELESS) as rig:
        for _ in range(3):
            rig.world.press_button(0.1)
            await asyncio.sleep(0.25)
        assert await events(rig.firmware.panel) == [ButtonPressed(long=False)] * 3


async def test_a_bounce_is_no_press() -> None:
    async with open_rig(faults=EDGELESS) as rig:
        await asyncio.sleep(0.017)
        rig.world.press_button(0.005)
        assert await events(rig.firmware.panel) == []


async def test_the_lid_is_told_both_ways() -> None:
    async with open_rig(faults=EDGELESS) as rig:
        rig.world.close_lid()
        await asyncio.sleep(0.1)
        assert rig.firmware.panel.lid_is_closed
        rig.world.open_lid()
        assert await events(rig.firmware.panel) == [LidClosed(), LidOpened()]


@pytest.mark.parametrize("late_s", [0.0, 0.011, 0.0199])
async def test_a_hand_at_a_tile_is_noticed_within_a_tenth_of_a_second(late_s: float) -> None:
    async with open_rig(faults=EDGELESS) as rig:
        loop, bank = asyncio.get_running_loop(), rig.firmware.bank
        await bank.look()
        await asyncio.sleep(late_s)
        rig.world.hand_moves(FRONT_1, Position.SHUT)
        since_s = loop.time()
        async with asyncio.timeout(5.0):
            while (await bank.look())[FRONT_1] is not Position.SHUT:
                await bank.wait_for_change(10.0)
        assert loop.time() - since_s < 0.1


class WatchedWorld(World):
    """A world that counts how often a line is asked for its level."""

    asked = 0

    def level(self, wire: GpioPin | ExpanderPin) -> bool:
        self.asked += 1
        return super().level(wire)


@pytest.mark.parametrize(
    ("busy", "what"), [("busy:GPIO25", "the lamp"), ("busy:GPIO24", "the button"), ("busy:GPIO9", "front-6's shut")]
)
async def test_a_box_that_does_not_open_leaves_nothing_asking(busy: str, what: str) -> None:
    world = WatchedWorld(load_box("two-level-9"), asyncio.get_running_loop().time, 1)
    for fault in (*EDGELESS, busy):
        apply_fault(world, fault)
    with pytest.raises(DeviceMissing, match=f"expected {what}"):
        async with open_firmware(
            world.box,
            open_i2c=lambda: open_i2c(world, fail_at_once),
            open_pins=lambda: open_sim_pins(world),
            executor=SimulatedWorker(lambda: False),
            computer=SimulatedComputer(world),
        ):
            pass
    world.asked = 0
    await asyncio.sleep(1.0)
    assert world.asked == 0


@pytest.fixture
def _on_a_pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with fresh_factories(monkeypatch):
        yield


@pytest.mark.usefixtures("_on_a_pi")
async def test_a_box_on_rpigpio_opens_where_linux_gives_it_no_edges(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Kernel 6.6 and later: RPi.GPIO tries for a second, holding everything up, and fails (raspberrypi/linux 6037)."""
    lines = HeaderLines(has_edges=False)
    calls = install_rpigpio(monkeypatch, lines)
    box = load_box("two-level-9")
    world = World(box, asyncio.get_running_loop().time, 1)
    async with open_firmware(
        box,
        open_i2c=lambda: open_i2c(world, fail_at_once),
        open_pins=lambda: open_pin_factory("rpigpio"),
        executor=SimulatedWorker(lambda: False),
        computer=SimulatedComputer(world),
    ) as firmware:
        assert [name for name, _ in calls.calls].count("add_event_detect") == 1
        assert "H-213" in caplog.text
        lines.pull(LID, low=True)
        lines.pull(BUTTON, low=True)
        await asyncio.sleep(0.1)
        lines.pull(BUTTON, low=False)
        assert await events(firmware.panel) == [LidClosed(), ButtonPressed(long=False)]
