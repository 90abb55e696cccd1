"""Tiles that leave their place by themselves, kicked by a pulse that was cut in its middle, are driven there again."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Literal

import pytest

from firmware.errors import MotionFault, TileJammed, TileRestless
from firmware.messages import SensorReport
from firmware.tiles.servos import free_slot
from hardware.sim.faults import apply_fault
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel
from tests.support.firmware_rig import OPEN, SHUT, Rig, commands_of, open_rig
from tests.support.long import long_but_every
from tests.support.true_box import is_free, kick, stress_of

BETWEEN = Position.BETWEEN
FRONT_6, FRONT_7, BACK_3 = TileId(1, 6), TileId(1, 7), TileId(2, 3)


@asynccontextmanager
async def rig_that_kicks(*kicks: tuple[TileId, Position]) -> AsyncIterator[Rig]:
    """A box on which no pulse is cut but those of these releases, one after the other, each kicked to where it says."""
    async with open_rig() as rig:
        due = deque(kicks)
        drive, tile_on = rig.world.drive, {wiring.servo: tile for tile, wiring in rig.box.tiles.items()}
        rig.world._cuts.runt_us = lambda *_: None  # type: ignore[method-assign]

        def drive_and_kick(wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
            drive(wire, pulse_us, on_us)
            if due and pulse_us is None and tile_on[wire] == due[0][0]:
                tile, to = due.popleft()
                if to is BETWEEN:
                    # The tile hangs on its rod, which the gears hold.
                    kick(rig.world, tile, 1250)
                else:
                    rig.world.hand_moves(tile, to)

        rig.world.drive = drive_and_kick  # type: ignore[method-assign]
        yield rig
        assert not due


async def execute(rig: Rig, *commands: str) -> tuple[SensorReport, ...]:
    return await rig.firmware.bank.execute(commands_of(commands))


async def test_a_tile_that_is_kicked_is_driven_again_and_nobody_is_asked() -> None:
    async with rig_that_kicks((FRONT_7, BETWEEN)) as rig:
        front_7, front_6 = await execute(rig, "front-7 SHUT", "front-6 SHUT")
        assert (front_7.healed, front_6.healed) == (1, 0)
        assert (front_7.tries, front_6.tries) == (1, 1)
        assert rig.world.position(FRONT_7) is SHUT
        assert len(rig.driven_s(FRONT_7)) == 2
        assert front_7.took_s is not None
        assert front_7.took_s < 0.25, "its travel is that of the whole way"
        assert front_7.at_s < 1.2


async def test_twice_and_no_more() -> None:
    async with rig_that_kicks((FRONT_7, BETWEEN), (FRONT_7, BETWEEN)) as rig:
        (report,) = await execute(rig, "front-7 SHUT")
        assert report.healed == 2
        assert rig.world.position(FRONT_7) is SHUT


@pytest.mark.parametrize("to", [BETWEEN, OPEN])
async def test_a_tile_that_never_stays_is_a_fault_of_its_own(to: Position) -> None:
    async with rig_that_kicks(*[(FRONT_7, to)] * 3) as rig:
        with pytest.raises(TileRestless) as caught:
            await execute(rig, "front-7 SHUT", "front-6 SHUT")
        assert (caught.value.fault.part, caught.value.fault.seen) == ("front-7", str(to))
        assert len(rig.driven_s(FRONT_7)) == 3
        assert FRONT_6 in {report.tile for report in caught.value.arrived}
        assert rig.is_quiet()


async def test_a_tile_that_stays_is_looked_at_once_more_and_not_driven() -> None:
    async with rig_that_kicks() as rig:
        loop = asyncio.get_running_loop()
        (report,) = await execute(rig, "front-7 SHUT")
        # The rod comes to rest in between.
        assert 0.5 <= loop.time() - report.at_s < 0.6
        assert report.healed == 0
        assert len(rig.driven_s(FRONT_7)) == 1


async def test_a_fault_that_comes_from_a_kicked_neighbour_is_not_judged_before_that_is_healed() -> None:
    """The tile behind was on its way down already, and met the one that hangs half way."""
    async with rig_that_kicks((FRONT_7, BETWEEN)) as rig:
        reports = await execute(rig, "front-7 SHUT", "back-3 SHUT")
        assert reports[0].healed == 1
        assert rig.world.position(FRONT_7) is rig.world.position(BACK_3) is SHUT


async def test_the_fault_of_a_tile_with_sound_neighbours_stands_while_others_are_healed() -> None:
    async with rig_that_kicks((FRONT_7, BETWEEN)) as rig:
        rig.world.jam(FRONT_6)
        with pytest.raises(MotionFault) as caught:
            await execute(rig, "front-6 SHUT", "front-7 SHUT")
        assert (caught.value.code, caught.value.fault.part) == ("H-301", "front-6")
        assert rig.world.position(FRONT_7) is SHUT
        assert [report.healed for report in caught.value.arrived] == [1]


@pytest.mark.parametrize("fault", ["stuck:front-7", "contradiction:front-7"])
async def test_what_somebody_has_seen_holds_while_others_are_healed(fault: str) -> None:
    """The sensors of a tile that is vouched for say something else at the second look, too."""
    async with rig_that_kicks((BACK_3, BETWEEN)) as rig:
        rig.world.hand_moves(FRONT_7, SHUT)
        await asyncio.sleep(0.2)
        apply_fault(rig.world, fault)
        reports = await rig.firmware.bank.execute(commands_of(["front-7 SHUT", "back-3 SHUT"]), {FRONT_7: SHUT})
        assert [report.healed for report in reports] == [0, 1]
        assert rig.driven_s(FRONT_7) == []


async def test_a_tile_that_failed_is_named_by_its_own_fault_and_not_as_one_in_the_way() -> None:
    """Two have strayed, and the one behind cannot go back while the other stands."""
    async with rig_that_kicks() as rig:

        def spring_up() -> None:
            for tile in (BACK_3, FRONT_7):
                rig.world.hand_moves(tile, OPEN)
            rig.world.jam(FRONT_7)

        await execute(rig, "front-7 SHUT", "back-3 SHUT")
        asyncio.get_running_loop().call_later(0.45, spring_up)
        with pytest.raises(TileJammed) as caught:
            await execute(rig, "front-6 SHUT", "front-7 SHUT", "back-3 SHUT")
        assert caught.value.fault.part == "front-7"
        assert [report.tile for report in caught.value.arrived] == [FRONT_6]


async def test_beside_many_faults_nothing_is_driven_again() -> None:
    """They have a cause in common, and so may the tile that did not stay."""
    async with rig_that_kicks((FRONT_7, BETWEEN)) as rig:
        for tile in rig.box.tile_ids[:3]:
            rig.world.jam(tile)
        with pytest.raises(TileJammed):
            await execute(rig, "front-1 SHUT", "front-2 SHUT", "front-3 SHUT", "front-7 SHUT")
        assert len(rig.driven_s(FRONT_7)) == 1


async def test_a_tile_that_waits_for_another_starts_when_that_has_arrived_not_when_it_is_let_go() -> None:
    async with rig_that_kicks() as rig:
        front, _ = await execute(rig, "front-7 SHUT", "back-3 SHUT")
        pulses = [(at_s, us) for at_s, wire, us in rig.world.pulses if wire == rig.box.tiles[BACK_3].servo]
        began_s = next(at_s for at_s, us in pulses if us is not None)
        let_go_s = max(at_s for at_s, wire, _ in rig.world.pulses if wire == rig.box.tiles[FRONT_7].servo)
        assert front.at_s <= began_s < let_go_s


@pytest.mark.parametrize("seed", long_but_every(3, range(6)))
async def test_a_tile_is_let_go_with_its_rod_at_rest(seed: int) -> None:
    """Then a hand tips it without turning a gear."""
    async with open_rig(seed=seed) as rig:
        rig.world._cuts.runt_us = lambda *_: None  # type: ignore[method-assign]
        for position in (SHUT, OPEN):
            await rig.execute(*(f"{tile} {position}" for tile in rig.box.tile_ids))
            assert all(is_free(rig.world, tile) for tile in rig.box.tile_ids)
            assert rig.positions() == {position}


async def test_before_its_first_move_every_rod_is_brought_to_rest_once() -> None:
    """A box whose power was cut amid a move may still hold a tile."""
    async with open_rig(at_rest=False) as rig:
        kick(rig.world, FRONT_7, 900)
        assert not is_free(rig.world, FRONT_7)
        await rig.execute(*(f"{tile} OPEN" for tile in rig.box.tile_ids))
        assert all(is_free(rig.world, tile) for tile in rig.box.tile_ids)
        assert rig.positions() == {OPEN}
        assert rig.drives() == 18
        await rig.execute(*(f"{tile} OPEN" for tile in rig.box.tile_ids))
        assert rig.drives() == 18


async def test_a_rod_that_was_let_go_amid_its_way_is_brought_to_rest_by_the_next_move() -> None:
    async with rig_that_kicks() as rig:
        moving = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.15)
        moving.cancel()
        await asyncio.wait([moving])
        await asyncio.sleep(0.5)
        assert rig.world.position(FRONT_7) is SHUT
        assert not is_free(rig.world, FRONT_7)
        await rig.execute("front-7 SHUT")
        assert is_free(rig.world, FRONT_7)


async def test_a_tile_that_was_let_go_on_its_way_comes_to_rest_before_it_is_looked_at() -> None:
    async with open_rig() as rig:
        moving = asyncio.ensure_future(execute(rig, "front-7 SHUT"))
        await asyncio.sleep(0.12)
        moving.cancel()
        await asyncio.wait([moving])
        let_go_s = rig.world.now()
        await execute(rig, "front-7 OPEN")
        assert rig.world.pulses[-1][0] > let_go_s
        assert next(at_s for at_s, _, us in rig.world.pulses if at_s > let_go_s and us is not None) > let_go_s + 0.29


async def test_a_tile_whose_sensors_do_not_settle_at_the_end_is_not_driven_again() -> None:
    async with open_rig() as rig:
        await execute(rig, "front-7 SHUT")
        line = rig.box.tiles[FRONT_7].shut
        # It has arrived; from then on both sensors say that it is there.
        asyncio.get_running_loop().call_later(0.35, lambda: rig.world.hold([line], high=False))
        drives = rig.drives()
        await execute(rig, "front-7 OPEN")
        assert rig.drives() == drives + 1


async def test_pulses_of_servos_driven_together_stand_apart_in_the_frame() -> None:
    async with open_rig() as rig:
        begins_us: dict[ServoChannel, float] = {}
        drive = rig.world.drive

        def note(wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
            drive(wire, pulse_us, on_us)
            begins_us.pop(wire, None)
            if pulse_us:
                same_board = [each_us for each, each_us in begins_us.items() if each.board == wire.board]
                assert all(abs(on_us - each_us) > 2200 for each_us in same_board)
                begins_us[wire] = on_us

        rig.world.drive = note  # type: ignore[method-assign]
        await rig.execute(*(f"{tile} SHUT" for tile in rig.box.tile_ids))


def test_a_slot_is_shared_only_when_there_are_more_servos_than_slots() -> None:
    def taken(slots: Iterable[tuple[int, int, int]]) -> dict[ServoChannel, int]:
        return {ServoChannel(board, channel): slot for board, channel, slot in slots}

    assert free_slot({}, 0x40, 8) == 0
    assert free_slot(taken([(0x40, 0, 0), (0x40, 1, 1)]), 0x40, 8) == 2
    assert free_slot(taken([(0x40, 0, 0), (0x41, 0, 1)]), 0x40, 8) == 2, "another board's too, while there are enough"
    assert free_slot(taken([(0x40, 0, 0), (0x41, 0, 1)]), 0x40, 2) == 1, "its own board's before that"
    assert free_slot(taken([(0x40, 0, 0), (0x40, 1, 0), (0x40, 2, 1)]), 0x40, 2) == 1


async def test_a_tile_that_was_let_go_on_its_way_is_the_boxs_own_doing_for_a_second() -> None:
    async with rig_that_kicks() as rig:
        bank = rig.firmware.bank
        moving = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.1)
        moving.cancel()
        await asyncio.wait([moving])
        assert bank.has_just_let_go(FRONT_7)
        assert not bank.has_just_let_go(FRONT_6)
        await asyncio.sleep(1.0)
        assert not bank.has_just_let_go(FRONT_7)


async def test_a_tile_that_was_seen_at_rest_is_not() -> None:
    async with rig_that_kicks() as rig:
        moving = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.1)
        moving.cancel()
        await asyncio.wait([moving])
        await rig.execute("front-7 SHUT")
        assert not rig.firmware.bank.has_just_let_go(FRONT_7)


async def test_what_was_let_go_a_moment_ago_is_looked_at_when_it_is_still() -> None:
    """Cut amid a move and asked for again at once: a look at once would have seen it where it was."""
    async with rig_that_kicks() as rig:
        await rig.execute("front-7 SHUT")
        rig.world.hand_moves(FRONT_7, OPEN)
        moving = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.17)
        moving.cancel()
        await asyncio.wait([moving])
        assert rig.world.position(FRONT_7) is SHUT
        asyncio.get_running_loop().call_later(0.15, rig.world.hand_moves, FRONT_7, BETWEEN)
        await rig.execute("front-7 SHUT")
        await asyncio.sleep(0.3)
        assert rig.world.position(FRONT_7) is SHUT


async def test_a_tile_that_was_there_already_and_leaves_meanwhile_is_brought_back() -> None:
    async with rig_that_kicks() as rig:
        await rig.execute("front-7 SHUT")
        asyncio.get_running_loop().call_later(0.1, rig.world.hand_moves, FRONT_7, OPEN)
        front_7, front_6 = await execute(rig, "front-7 SHUT", "front-6 SHUT")
        assert (front_7.healed, front_6.healed) == (1, 0)
        assert rig.world.position(FRONT_7) is SHUT


async def test_a_tile_that_somebody_vouches_for_is_not_brought_back() -> None:
    async with rig_that_kicks() as rig:
        commands = commands_of(["front-7 SHUT", "front-6 SHUT"])
        await rig.firmware.bank.execute(commands, {FRONT_7: SHUT})
        assert not rig.driven_s(FRONT_7)


@pytest.mark.parametrize("what", ["cut", "any"])
async def test_a_servo_is_let_go_with_its_frame_and_only_a_board_that_does_not_wait_for_it_kicks(
    what: Literal["cut", "any"],
) -> None:
    async with open_rig() as rig:
        rig.world.tolerances = replace(rig.world.tolerances, kick=what)
        for to in (SHUT, OPEN) * 3:
            await rig.execute(*(f"{tile} {to}" for tile in rig.box.tile_ids))
            assert what == "any" or all(is_free(rig.world, tile) for tile in rig.box.tile_ids)
        assert bool(stress_of(rig.world).kicks) is (what == "any")
