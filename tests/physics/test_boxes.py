"""Boxes of 18 tiles whose parts differ, in MuJoCo, driven by the firmware over the simulated wires.

What is asserted of each box is what the reference build promises: all tiles arrive, truly and by their sensors, and are
free at rest.
"""

import asyncio
from functools import partial

import pytest

pytest.importorskip("mujoco", reason="needs mujoco: make lanes")

from firmware.errors import SensorDoubtful
from firmware.messages import TileCommand
from hardware.box import load_box
from hardware.sim.servo import Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.physics.bench import BACK, FRONT, Bench
from tests.physics.measures import ColumnMeasures
from tests.physics.mechanism import HAND_N, PhysicsMechanism
from tests.support.firmware_rig import OPEN, SHUT, open_over
from tests.support.long import long_but_every
from tests.support.true_box import longest_s, stress_of

BOXES = 50
# What the gears of a 9 g servo see of a tile at rest, in N m: nothing, or hardly anything.
_GEAR_NM = 0.010
# A light hand tips a tile within this time.
_TIPS_S = 0.3
# Boards that finish their frame. A servo that receives the remainder of a cut pulse turns away from its rest.
_AS_DRAWN = Tolerances(kick="frame")


def build(seed: int) -> tuple[World, PhysicsMechanism]:
    mechanics = partial(PhysicsMechanism, measures=partial(ColumnMeasures.draw, seed))
    clock = asyncio.get_running_loop().time
    world = World(load_box("two-level-9"), clock, seed, tolerances=_AS_DRAWN, mechanics=mechanics)
    assert isinstance(world._mechanism, PhysicsMechanism)
    return world, world._mechanism


def unfree(physics: PhysicsMechanism, tile: TileId, position: Position) -> str | None:
    """Return what is wrong with a tile at rest there, or None: it is there, and a hand tips it and turns no gear."""
    column, row = physics.column_of(tile)
    stop_deg, ledge_deg = column.measures[row].stop_deg, 95.0 + column.measures.ledge_deg
    angle_deg = physics.tiles[tile].angle_deg
    if position is OPEN and angle_deg > stop_deg + 1.0:
        return f"{tile} stands at {angle_deg:.1f}, its stop is at {stop_deg:.1f}"
    if position is SHUT and angle_deg < ledge_deg - 1.5:
        return f"{tile} lies at {angle_deg:.1f}, its ledge is at {ledge_deg:.1f}"
    column.most_gear_nm = [0.0, 0.0]
    if not column.tips(row, HAND_N if position is OPEN else -HAND_N, _TIPS_S):
        return f"{tile} at {angle_deg:.1f} is not tipped, horn at {column.horn_deg(row):.1f}"
    if max(column.most_gear_nm) > _GEAR_NM:
        return f"{tile} tipped: {max(column.most_gear_nm):.3f} N m at gears, horn at {column.horn_deg(row):.1f}"
    return None


@pytest.mark.parametrize("seed", long_but_every(BOXES // 2, range(1, BOXES + 1)))
async def test_every_tile_of_a_box_as_parts_are_arrives_and_is_free(seed: int) -> None:
    world, physics = build(seed)
    async with open_over(world, world.box) as firmware:
        for position in (SHUT, OPEN):
            reports = await firmware.bank.execute([TileCommand(tile, position) for tile in world.box.tile_ids])
            assert {(report.position, report.tries, report.healed) for report in reports} == {(position, 1, 0)}
            assert set((await firmware.bank.look()).values()) == {position}
            assert [fault for tile in world.box.tile_ids if (fault := unfree(physics, tile, position))] == []
    stress = stress_of(world)
    assert max(stress.stalled_s.values(), default=0.0) < 0.2
    assert longest_s(stress) < world.box.motion.timeout_s
    # A motor that turns back at full speed draws more than a stalled one, for a few milliseconds.
    assert stress.most_a < world.box.supply.limit_a * 1.2
    assert physics.crowded == set()


@pytest.mark.parametrize("physics", [False, True])
async def test_a_die_under_a_tile_is_named_at_that_tile_and_stalls_nothing(physics: bool) -> None:
    bench = Bench(physics=physics, time_of=asyncio.get_running_loop().time)
    bench.lay_die()
    async with open_over(bench.world, bench.box) as firmware:
        with pytest.raises(SensorDoubtful) as caught:
            await firmware.bank.execute([TileCommand(FRONT, SHUT)])
    assert (caught.value.code, caught.value.fault.part) == ("H-302", str(FRONT))
    assert bench.longest_stall_s(FRONT) < 0.2


async def test_a_hand_tips_tiles_that_the_firmware_has_left() -> None:
    bench = Bench(physics=True, time_of=asyncio.get_running_loop().time)
    async with open_over(bench.world, bench.box) as firmware:
        await firmware.bank.execute([TileCommand(FRONT, SHUT)])
        bench.world.hand_moves(BACK, SHUT)
        assert await firmware.bank.look() == {FRONT: SHUT, BACK: SHUT}
        bench.world.hand_moves(FRONT, OPEN)  # and the back tile comes along
        await asyncio.sleep(0.5)
        assert await firmware.bank.look() == {FRONT: OPEN, BACK: OPEN}
