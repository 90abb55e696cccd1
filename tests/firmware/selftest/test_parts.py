"""The look at every part names what is wrong and moves nothing."""

import pytest

from firmware.selftest.selftest import look_at_parts
from hardware.sim.faults import apply_fault
from hardware.tiles import TileId
from tests.support.firmware_rig import open_rig


@pytest.mark.parametrize(
    ("fault", "wrong"),
    [
        ("", {}),
        ("jam:front-7", {}),
        ("silent:0x41", {"0x41": "no acknowledge"}),
        ("contradiction:front-7", {"front-7": "its sensors contradict each other"}),
        ("interrupt:high", {"INT of 0x20": "never low", "INT of 0x21": "never low"}),
        ("interrupt:low", {"INT of 0x20": "always low", "INT of 0x21": "always low"}),
        ("hot:computer", {"computer": "83"}),
    ],
)
async def test_what_is_wrong_is_named_and_no_tile_moves(fault: str, wrong: dict[str, str]) -> None:
    async with open_rig("two-level-9") as rig:
        before = {tile: rig.world.position(tile) for tile in rig.world.box.tile_ids}
        if fault:
            apply_fault(rig.world, fault)
        told: list[float] = []
        parts = await look_at_parts(rig.firmware, lambda _line, done: told.append(done))
        assert {part.part: part.seen for part in parts if not part.is_right} == wrong
        assert len(parts) == 4 + 2 + 18 + 1 + ("computer" in wrong)
        assert (told[-1], told) == (1.0, sorted(told))
        assert rig.is_quiet()
        assert {tile: rig.world.position(tile) for tile in rig.world.box.tile_ids} == before


async def test_tiles_on_a_silent_expander_are_not_blamed_for_it() -> None:
    async with open_rig("two-level-9") as rig:
        apply_fault(rig.world, "silent:0x20")
        parts = await look_at_parts(rig.firmware, lambda _line, _done: None)
        wrong = {part.part: part.seen for part in parts if not part.is_right}
        assert set(wrong.values()) - {wrong["0x20"]} == {"not asked: 0x20 is silent"}
        # Later looks ask it again.
        rig.world.lift()
        assert len(await rig.firmware.sensors.look([TileId(1, 1)])) == 1
