"""The log of the tiles: every move, retry and refusal, and the reason why a tile did not move."""

import asyncio
import logging
import re

import pytest

from hardware.sim.faults import apply_fault
from hardware.tiles import Position, TileId
from tests.firmware.tiles.test_faulty_box import fault_of
from tests.support.firmware_rig import SHUT, Rig, commands_of, open_rig
from tests.support.small_box import rigid_box

FRONT_7 = TileId(1, 7)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO)
    return caplog


def lines(log: pytest.LogCaptureFixture, about: str = "") -> list[str]:
    """Return the lines so far, with their seconds replaced by N."""
    return [re.sub(r"(_s|seconds)=\d\.\d\d", r"\1=N", line) for line in log.messages if about in line]


async def test_a_move_is_one_line_and_looking_is_none(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        assert lines(log) == ["tile arrived tile=front-7 at=SHUT took_s=N tries=1"]
        await rig.execute("front-7 SHUT", "front-1 OPEN", "front-2 OPEN")
        assert lines(log)[1:] == [
            "tiles not moved, already in position at=SHUT tiles=front-7",
            "tiles not moved, already in position at=OPEN tiles=front-1,front-2",
        ]
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
            "try failed tile=front-7 target=SHUT took_s=N try=1",
            "tile arrived tile=front-7 at=SHUT took_s=N tries=2",
        ]


async def test_a_tile_on_a_rigid_rod_is_moved_back_in_one_line_too(log: pytest.LogCaptureFixture) -> None:
    async with open_rig(rigid_box()) as rig:
        apply_fault(rig.world, "jam:front-7")
        await fault_of(rig, "front-7 SHUT")
        assert lines(log, "moved back") == ["tile moved back to free it tile=front-7 seconds=N"] * 2


async def test_a_tile_that_is_given_up_is_one_line_and_so_is_the_one_behind_it(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "jam:front-7")
        await fault_of(rig, "front-7 SHUT", "back-3 SHUT")
        assert lines(log, "giving up") == ["giving up on tile tile=front-7 target=SHUT driven_s=N tries=3"]
        assert lines(log, "back-3") == ['tile not driven tile=back-3 target=SHUT reason="front-7 is in its way"']


async def test_what_wood_forbids_is_one_line(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        fault = await fault_of(rig, "back-3 SHUT")
        assert lines(log) == [f"moves refused fault={fault}"]


async def test_a_move_that_is_called_off_is_one_line(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        move = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.1)
        move.cancel()
        await asyncio.wait([move])
        assert lines(log) == ["move cancelled, tile released tile=front-7 target=SHUT"]


async def test_an_overridden_tile_is_one_line_with_what_its_sensors_show(log: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        await rig.firmware.bank.execute(commands_of(["front-7 SHUT"]), overridden={FRONT_7: SHUT})
        assert lines(log) == ["tile not moved, position overridden tile=front-7 at=SHUT seen=OPEN"]
        assert rig.world.position(FRONT_7) is Position.OPEN
