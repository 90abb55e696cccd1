"""Button, lid and lamp, on the world's lines and the loop's clock."""

import asyncio
import itertools

import pytest

from firmware.panel import ButtonHeld, ButtonPressed, LidClosed, LidOpened, Light, PanelEvent
from hardware.wires import GpioPin
from tests.support.firmware_rig import Rig, open_rig


async def events(rig: Rig, within_s: float = 3.0) -> list[PanelEvent]:
    heard: list[PanelEvent] = []
    try:
        async with asyncio.timeout(within_s):
            while True:
                heard.append(await rig.firmware.panel.next_event())
    except TimeoutError:
        return heard


@pytest.mark.parametrize(("seconds", "heard"), [(0.1, [False]), (0.7, [False]), (1.0, [True]), (2.5, [True])])
async def test_a_press_is_short_or_long(seconds: float, heard: list[bool]) -> None:
    async with open_rig() as rig:
        rig.world.press_button(seconds)
        assert await events(rig) == [ButtonPressed(long) for long in heard]


async def test_a_long_press_is_told_while_the_finger_is_still_down() -> None:
    async with open_rig() as rig:
        rig.world.press_button(60)
        begun_s = asyncio.get_running_loop().time()
        assert await rig.firmware.panel.next_event() == ButtonPressed(long=True)
        assert 0.8 <= asyncio.get_running_loop().time() - begun_s <= 0.9


@pytest.mark.parametrize(("seconds", "is_meant"), [(4.9, False), (5.2, True)])
async def test_a_press_of_five_seconds_is_meant(seconds: float, is_meant: bool) -> None:
    async with open_rig() as rig:
        since_s = asyncio.get_running_loop().time()
        rig.world.press_button(seconds)
        held = [ButtonHeld(since_s)] if is_meant else []
        assert await events(rig, within_s=8.0) == [ButtonPressed(long=True), *held]


async def test_a_bounce_is_no_press() -> None:
    async with open_rig() as rig:
        rig.world.press_button(0.005)
        assert await events(rig) == []


async def test_presses_come_one_after_the_other() -> None:
    async with open_rig() as rig:
        for _ in range(3):
            rig.world.press_button(0.2)
            await asyncio.sleep(0.5)
        assert await events(rig) == [ButtonPressed(long=False)] * 3


async def test_the_lid_is_told_both_ways_and_once() -> None:
    async with open_rig() as rig:
        closed = [rig.firmware.panel.lid_is_closed]
        rig.world.close_lid()
        await asyncio.sleep(0.1)
        closed.append(rig.firmware.panel.lid_is_closed)
        rig.world.open_lid()
        rig.world.close_lid()
        await asyncio.sleep(0.1)
        rig.world.open_lid()
        assert await events(rig) == [LidClosed(), LidOpened()]
        assert closed == [False, True]


@pytest.mark.parametrize(("light", "changes"), [(Light.OFF, 0), (Light.STEADY, 0), (Light.SLOW, 4), (Light.FAST, 20)])
async def test_the_lamp_blinks_in_its_time(light: Light, changes: int) -> None:
    async with open_rig() as rig:
        rig.firmware.panel.show(light)
        seen = []
        for _ in range(200):
            seen.append(_is_lit(rig))
            await asyncio.sleep(0.01001)
        assert seen[0] is (light is not Light.OFF)
        counted = sum(1 for one, other in itertools.pairwise(seen) if one is not other)
        assert abs(counted - changes) <= 1


async def test_showing_the_same_again_does_not_disturb_the_blinking() -> None:
    async with open_rig() as rig:
        lit = []
        for _ in range(10):
            rig.firmware.panel.show(Light.SLOW)
            lit.append(_is_lit(rig))
            await asyncio.sleep(0.2)
        assert len(set(lit)) == 2
        rig.firmware.panel.show(Light.STEADY)
        assert _is_lit(rig)


def _is_lit(rig: Rig) -> bool:
    wire = rig.box.panel.led
    assert isinstance(wire, GpioPin)
    return rig.world.level(wire)


async def test_a_box_without_a_panel_shows_nothing_and_says_nothing() -> None:
    async with open_rig("classic-9") as whole:
        bare = whole.box.model_copy(
            update={"panel": whole.box.panel.model_copy(update={"button": None, "lid": None, "led": None})}
        )
    async with open_rig(bare) as rig:
        rig.firmware.panel.show(Light.FAST)
        assert not rig.firmware.panel.lid_is_closed
        assert await events(rig) == []


async def test_closing_in_the_middle_of_a_press_leaves_no_timer() -> None:
    async with open_rig() as rig:
        rig.firmware.panel.show(Light.FAST)
        rig.world.press_button(5)
        rig.world.close_lid()
        await asyncio.sleep(0.01)
    await asyncio.sleep(10)
