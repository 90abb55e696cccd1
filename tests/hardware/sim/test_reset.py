"""The larger builds on the simulated box: a reset within the supply's limit, dominoes by their pips."""

import asyncio

import pytest

from firmware.errors import TileJammed
from firmware.messages import SensorReport, TileCommand
from firmware.selftest.selftest import examine_firmware
from hardware.sim.faults import apply_fault
from tests.support.firmware_rig import OPEN, SHUT, Rig, open_rig
from tests.support.long import long_but_every
from tests.support.true_box import stress_of


@pytest.mark.parametrize("name", long_but_every(3, ["the-300", "rows-6", "dominoes-28"]))
async def test_all_tiles_go_down_and_up_within_what_the_supply_carries(name: str) -> None:
    async with open_rig(name) as rig:
        for position in (SHUT, OPEN):
            moving = asyncio.ensure_future(
                rig.firmware.bank.execute([TileCommand(tile, position) for tile in rig.box.tile_ids])
            )
            highest_a, most = await _load_during(rig, moving)
            assert [report.tile for report in await moving] == list(rig.box.tile_ids)
            assert rig.positions() == {position}
            assert 0.3 * rig.box.supply.limit_a < highest_a <= rig.box.supply.limit_a
            assert most == rig.box.servos_at_once
        # A tile that is kicked off its ledge is in the way of those behind it.
        kicked = {tile.column(rig.box.columns) for tile, _ in stress_of(rig.world).kicks}
        calm = [tile for tile in rig.box.tile_ids if tile.column(rig.box.columns) not in kicked]
        assert len(calm) > len(rig.box.tile_ids) / 2
        assert all(len(rig.driven_s(tile)) == 2 for tile in calm), "no retry was needed"


async def _load_during(rig: Rig, moving: asyncio.Future[tuple[SensorReport, ...]]) -> tuple[float, int]:
    """The highest current in ampere, and the most servos that got pulses at once."""
    highest_a, most = 0.0, 0
    while not moving.done():
        await asyncio.sleep(0.002)
        highest_a = max(highest_a, rig.world.current_a)
        last = {wire: pulse_us for _, wire, pulse_us in rig.world.pulses}
        most = max(most, sum(pulse_us is not None for pulse_us in last.values()))
    return highest_a, most


async def test_commands_and_complaints_name_a_domino_by_its_pips() -> None:
    async with open_rig("dominoes-15") as rig:
        await rig.execute("5-6 SHUT")
        assert {str(tile) for tile in rig.box.tile_ids if rig.world.position(tile) is SHUT} == {"5-6"}
        apply_fault(rig.world, "jam:2-5")
        with pytest.raises(TileJammed, match=r"^H-301 2-5: expected SHUT, seen OPEN"):
            await rig.execute("2-5 SHUT")
        with pytest.raises(ValueError, match="dominoes-15 has no tile front-8"):
            await rig.execute("front-8 SHUT")


async def test_the_self_test_names_dominoes_by_their_pips() -> None:
    async with open_rig("dominoes-21") as rig:
        apply_fault(rig.world, "jam:2-5")
        apply_fault(rig.world, "silent:0x41")
        lines: list[str] = []
        report = await examine_firmware(rig.firmware, lambda line, _done: lines.append(line))
        assert [(finding.code, finding.part) for finding in report.findings] == [
            ("H-202", "0x41"),
            ("H-301", "2-5"),
        ]
        assert report.untested == ("1-1", "2-2", "3-3", "4-4", "5-5", "6-6")
        assert "column 1: 1-2 went down and up" in lines
