"""What a bank of tiles promises, on the simulated box."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.runtime.clock import run_jumping
from firmware.errors import TileInTheWay
from firmware.messages import SensorReport, TileCommand
from hardware.box import box_names
from hardware.tiles import Position, TileId, tile_in_front
from tests.support.firmware_rig import OPEN, SHUT, Rig, commands_of, open_rig
from tests.support.long import long_but_every
from tests.support.true_box import driven_tiles

FRONT_7 = TileId(1, 7)


@pytest.mark.parametrize("name", long_but_every(6, box_names()))
async def test_a_whole_board_goes_down_and_up(name: str) -> None:
    async with open_rig(name) as rig:
        for position in (SHUT, OPEN):
            commands = [TileCommand(tile, position) for tile in rig.box.tile_ids]
            reports = await rig.firmware.bank.execute(commands)
            assert [report.tile for report in reports] == list(rig.box.tile_ids)
            assert {report.position for report in reports} == {position}
            assert rig.positions() == {position}
            assert rig.is_quiet()


@pytest.mark.parametrize("seed", long_but_every(3, range(12)))
async def test_each_tile_goes_both_ways_at_once_on_every_board(seed: int) -> None:
    """The seed decides the boards' clocks, the mounting errors, plays and magnets, and the sensors' edges."""

    async with open_rig("classic-9", seed=seed) as rig:
        rig.world._cuts.runt_us = lambda *_: None  # type: ignore[method-assign]
        for tile in rig.box.tile_ids:
            await rig.execute(f"{tile} SHUT")
            assert rig.world.position(tile) is SHUT
            await rig.execute(f"{tile} OPEN")
            assert rig.world.position(tile) is OPEN
        assert all(len(rig.driven_s(tile)) == 2 for tile in rig.box.tile_ids), "no retry was needed"


async def test_a_move_and_a_reset_take_the_time_people_like() -> None:
    loop = asyncio.get_running_loop()
    async with open_rig() as rig:
        begun_s = loop.time()
        (report,) = await rig.firmware.bank.execute(commands_of(["front-7 SHUT"]))
        assert report.at_s - begun_s < 0.25
        assert loop.time() - begun_s < 0.8, "and its rod comes to rest, and a look whether it stays"
        everything = [f"{tile} SHUT" for tile in rig.box.tile_ids]
        await rig.execute(*everything)
        begun_s = loop.time()
        await rig.execute(*(text.replace("SHUT", "OPEN") for text in everything))
        assert loop.time() - begun_s < 2.6


async def test_a_tile_that_is_there_already_costs_no_pulse() -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        spent = rig.drives()
        reports = await rig.firmware.bank.execute(commands_of(["front-7 SHUT", "front-1 OPEN"]))
        assert rig.drives() == spent == 1
        assert [report.position for report in reports] == [SHUT, OPEN]


async def test_nothing_asked_nothing_done() -> None:
    async with open_rig() as rig:
        assert await rig.firmware.bank.execute([]) == ()
        assert not rig.output_enabled()


async def test_the_supply_is_never_asked_for_more_than_it_carries() -> None:
    async with open_rig() as rig:
        highest_a, most = 0.0, 0
        task = asyncio.ensure_future(rig.execute(*(f"{tile} SHUT" for tile in rig.box.tile_ids)))
        while not task.done():
            await asyncio.sleep(0.001)
            highest_a = max(highest_a, rig.world.current_a)
            most = max(most, _driven(rig))
        await task
        assert 1.0 < highest_a <= rig.box.supply.limit_a
        assert most == rig.box.servos_at_once


async def test_servos_that_start_together_begin_one_after_the_other() -> None:
    """Each draws most as it starts."""
    async with open_rig() as rig:
        together = rig.box.tile_ids[: rig.box.servos_at_once]
        await rig.execute(*(f"{tile} SHUT" for tile in together))
        begun_s = [at_s for at_s, _, pulse_us in rig.world.pulses if pulse_us == pytest.approx(2090, rel=0.01)]
        apart_s = [after_s - before_s for before_s, after_s in pairwise(begun_s)]
        assert len(begun_s) == len(together) > 1
        assert round(min(apart_s), 6) >= 0.002
        assert max(begun_s) - min(begun_s) < 0.02, "within a frame"


def _driven(rig: Rig) -> int:
    last = {wire: pulse_us for _, wire, pulse_us in rig.world.pulses}
    return sum(1 for pulse_us in last.values() if pulse_us is not None)


COMMANDS = st.dictionaries(
    st.builds(TileId, row=st.sampled_from((1, 2)), number=st.integers(1, 9)), st.sampled_from((OPEN, SHUT))
)


@settings(max_examples=25, deadline=None)
@given(first=COMMANDS, second=COMMANDS)
def test_any_set_is_done_as_asked_or_refused_before_anything_moves(
    first: dict[TileId, Position], second: dict[TileId, Position]
) -> None:
    async def story() -> None:
        async with open_rig() as rig:
            # A tile that a cut pulse kicks out of its place is driven once more.
            rig.world._cuts.runt_us = lambda *_: None  # type: ignore[method-assign]
            for wanted in (first, second):
                before, spent = await rig.firmware.bank.look(), rig.drives()
                final = {**before, **wanted}
                commands = [TileCommand(tile, position) for tile, position in wanted.items()]
                if _stands_in_the_way(final):
                    with pytest.raises(TileInTheWay):
                        await rig.firmware.bank.execute(commands)
                    assert rig.drives() == spent
                else:
                    await rig.firmware.bank.execute(commands)
                    assert {tile: rig.world.position(tile) for tile in final} == final
                    # A drive that meets wood stalls and is repeated: one drive a tile shows that none did.
                    moved = sum(1 for tile, position in wanted.items() if before[tile] is not position)
                    assert rig.drives() == spent + moved
                assert rig.is_quiet()

    run_jumping(story())


def _stands_in_the_way(final: dict[TileId, Position]) -> bool:
    fronts = {tile: tile_in_front(tile, 9) for tile in final}
    return any(final[tile] is SHUT and ahead and final[ahead] is OPEN for tile, ahead in fronts.items())


async def test_two_commands_for_one_tile_are_refused_before_anything_moves() -> None:
    async with open_rig() as rig:
        with pytest.raises(ValueError, match="front-7 is sent to OPEN and to SHUT"):
            await rig.execute("front-1 SHUT", "front-7 OPEN", "front-7 SHUT")
        assert rig.drives() == 0


async def test_a_tile_of_another_box_is_refused() -> None:
    async with open_rig("classic-9") as rig:
        with pytest.raises(ValueError, match="classic-9 has no tile back-3"):
            await rig.execute("back-3 SHUT")


@pytest.mark.parametrize("position", [Position.BETWEEN, Position.UNKNOWN])
def test_a_tile_is_sent_to_open_or_shut_alone(position: Position) -> None:
    with pytest.raises(ValueError, match="OPEN or SHUT"):
        TileCommand(FRONT_7, position)


async def test_look_sees_what_a_hand_did() -> None:
    async with open_rig() as rig:
        assert set((await rig.firmware.bank.look()).values()) == {OPEN}
        rig.world.hand_moves(FRONT_7, SHUT)
        rig.world.stop_half_way(TileId(1, 8))
        rig.world.hand_moves(TileId(1, 8), Position.BETWEEN)
        rig.world.hand_moves(TileId(2, 1), SHUT)
        await asyncio.sleep(0.3)
        seen = await rig.firmware.bank.look()
        assert seen[FRONT_7] is SHUT
        assert seen[TileId(1, 8)] is Position.BETWEEN
        assert seen[TileId(2, 1)] is seen[TileId(1, 9)] is SHUT, "a back tile takes its front tile along"
        assert rig.drives() == 0


async def test_parked_means_no_pulses_and_the_next_command_wakes_the_box() -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        assert rig.output_enabled()
        await rig.firmware.bank.release()
        assert not rig.output_enabled()
        assert rig.is_quiet()
        await rig.execute("front-7 OPEN")
        assert rig.world.position(FRONT_7) is OPEN


async def test_two_callers_wait_for_each_other() -> None:
    async with open_rig() as rig:
        await asyncio.gather(rig.execute("front-7 SHUT"), rig.execute("back-3 SHUT", "front-7 SHUT"))
        assert rig.world.position(TileId(2, 3)) is SHUT


async def test_who_wants_the_opposite_meanwhile_waits_until_the_tile_is_let_go() -> None:
    async with open_rig() as rig:
        first = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.1)
        assert driven_tiles(rig.world) == (FRONT_7,)
        await asyncio.gather(first, rig.execute("front-7 OPEN"))
        assert rig.world.position(FRONT_7) is OPEN
        assert len(rig.driven_s(FRONT_7)) == 2
        (rest_s,) = rig.rests_s(FRONT_7)
        assert rest_s >= 0.3, "and has come to rest"


async def test_a_cancelled_move_lets_go_of_every_servo() -> None:
    async with open_rig() as rig:
        for after_s in (0.0, 0.001, 0.05, 0.1):
            task = asyncio.ensure_future(rig.execute(*(f"{t} SHUT" for t in rig.box.tile_ids)))
            await asyncio.sleep(after_s)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert rig.is_quiet()
        await rig.execute(*(f"{tile} SHUT" for tile in rig.box.tile_ids))
        assert rig.positions() == {SHUT}


async def test_without_open_sensors_open_is_assumed_and_says_so() -> None:
    async with open_rig() as whole:
        box = whole.box
    blind = {tile: wiring.model_copy(update={"open": None}) for tile, wiring in box.tiles.items()}
    async with open_rig(box.model_copy(update={"tiles": blind})) as rig:
        commands = [TileCommand(tile, SHUT) for tile in box.tile_ids]
        reports = await rig.firmware.bank.execute(commands)
        assert not any(report.assumed for report in reports)
        reports = await rig.firmware.bank.execute([TileCommand(tile, OPEN) for tile in box.tile_ids])
        assert all(report.assumed for report in reports)
        assert rig.positions() == {OPEN}


async def test_reports_carry_the_time_of_arrival() -> None:
    loop = asyncio.get_running_loop()
    async with open_rig() as rig:
        began_s = loop.time()
        (report,) = await rig.firmware.bank.execute(commands_of(["front-7 SHUT"]))
        assert report == SensorReport(FRONT_7, SHUT, report.at_s, took_s=report.took_s, tries=1)
        assert report.took_s is not None
        assert 0.1 < report.took_s <= report.at_s - began_s < 0.25
        (again,) = await rig.firmware.bank.execute(commands_of(["front-7 SHUT"]))
        assert (again.took_s, again.tries) == (None, 0)
