"""What a person who reads the log hears of the tiles: every move, retry and refusal, and why a tile did not move."""

import asyncio
import logging
import re

import pytest

from hardware.sim.faults import apply_fault
from hardware.tiles import Position, TileId
from tests.firmware.tiles.test_faulty_box import fault_of
from tests.support.firmware_rig import SHUT, Rig, commands_of, open_rig

FRONT_7 = TileId(1, 7)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO)
    return caplog


def lines(log: pytest.LogCaptureFixture, about: str = "") -> list[str]:
    """The lines so far, without their seconds."""
    return [re.sub(r"\d\.\d\d s", "N s", line) for line in log.messages if about in line]


async def test_a_move_is_one_line_and_looking_is_none(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        assert lines(log) == ["front-7: SHUT after N s, 1 try"]
        await rig.execute("front-7 SHUT", "front-1 OPEN", "front-2 OPEN")
        assert lines(log)[1:] == ["already SHUT, not moved: front-7", "already OPEN, not moved: front-1, front-2"]
        count = len(log.messages)
        for _ in range(20):
            await rig.firmware.bank.look()
        assert len(log.messages) == count


async def test_a_retry_is_one_line(log: pytest.LogCaptureFixture) -> None:
    async def lift_soon(rig: Rig) -> None:
        await asyncio.sleep(1.0)
        rig.world.lift()

    async with open_rig() as rig:
        apply_fault(rig.world, "jam:front-7")
        await asyncio.gather(rig.execute("front-7 SHUT"), lift_soon(rig))
        assert lines(log) == [
            "front-7: not SHUT after N s in try 1 of 3",
            "front-7: moved back for N s to free it",
            "front-7: SHUT after N s, 2 tries",
        ]


async def test_a_tile_that_is_given_up_is_one_line_and_so_is_the_one_behind_it(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "jam:front-7")
        await fault_of(rig, "front-7 SHUT", "back-3 SHUT")
        assert lines(log, "given up") == ["front-7: given up, not SHUT after N s and 3 tries"]
        assert lines(log, "back-3") == ["back-3: not driven to SHUT, front-7 is in its way"]


async def test_what_wood_forbids_is_one_line(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        fault = await fault_of(rig, "back-3 SHUT")
        assert lines(log) == [f"none of these is moved: {fault}"]


async def test_a_move_that_is_called_off_is_one_line(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        move = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.1)
        move.cancel()
        await asyncio.wait([move])
        assert lines(log) == ["front-7: let go on its way to SHUT, the move was called off"]


async def test_a_tile_that_is_believed_is_one_line_with_what_its_sensors_show(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        await rig.firmware.bank.execute(commands_of(["front-7 SHUT"]), believed={FRONT_7: SHUT})
        assert lines(log) == ["front-7: not moved, believed to be SHUT; its sensors show OPEN"]
        assert rig.world.position(FRONT_7) is Position.OPEN
