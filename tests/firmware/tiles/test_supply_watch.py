"""The current of V+ while tiles move: what is certain is acted upon, and nothing else."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.errors import ChipSilent, SupplyOverdrawn, TileJammed
from firmware.tiles.supply_watch import CurrentJudge
from hardware.box import Supply
from hardware.sim.faults import apply_fault
from hardware.tiles import TileId
from hardware.wires import ServoChannel
from tests.support.firmware_rig import OPEN, SHUT, Rig, open_rig
from tests.support.long import long_but_every
from tests.support.sensed_box import sensed

SUPPLY = Supply()
SERVOS = 18
LOOK_S = 0.01
FRONT_3 = TileId.parse("front-3")


@dataclass(frozen=True)
class Moment:
    """What some servos of a box draw, in ampere, for some looks; all others rest."""

    looks: int
    drawn: Sequence[float]


def judged(
    judge: CurrentJudge, moments: Sequence[Moment], stray_a: float = 0.0, at_s: float = 0.0
) -> list[tuple[float, bool, bool]]:
    """By look: its time, whether all driven servos were called stalled, whether V+ was called overdrawn."""
    found = []
    for moment in moments:
        driven = [ServoChannel(0x40, place) for place in range(len(moment.drawn))]
        for _ in range(moment.looks):
            at_s += LOOK_S
            resting_a = (SERVOS - len(driven)) * SUPPLY.idle_a
            beyond = judge.note(at_s, sum(moment.drawn) + resting_a + stray_a, driven)
            found.append((at_s, bool(judge.stalled), beyond))
    return found


MOVING = st.floats(*SUPPLY.moving_a)
WITHIN = st.one_of(st.floats(0.0, SUPPLY.idle_a), MOVING, st.just(SUPPLY.stalling_a))
REST, SETTLED = Moment(3, ()), Moment(11, ())  # the second until no servo can kick any more


@given(st.lists(st.builds(Moment, st.integers(1, 20), st.lists(WITHIN, max_size=5)), max_size=6))
def test_what_servos_may_draw_is_never_beyond_the_plan(moments: list[Moment]) -> None:
    assert not any(beyond for _, _, beyond in judged(CurrentJudge(SUPPLY, SERVOS), [REST, *moments]))


@given(st.lists(WITHIN, min_size=1, max_size=5), st.integers(0, 4), MOVING, st.integers(1, 30))
def test_no_servo_is_called_stalled_while_one_of_the_driven_moves(
    others: list[float], place: int, moving_a: float, looks: int
) -> None:
    drawn = [*others[:place], moving_a, *others[place:]]
    assert not any(stalled for _, stalled, _ in judged(CurrentJudge(SUPPLY, SERVOS), [REST, Moment(looks, drawn)]))


@given(st.integers(1, 5))
def test_a_servo_that_stalls_alone_or_with_all_others_is_seen_within_fifty_milliseconds(driven: int) -> None:
    found = judged(CurrentJudge(SUPPLY, SERVOS), [REST, Moment(10, [SUPPLY.stalling_a] * driven)])
    first_s = next(at_s for at_s, stalled, _ in found if stalled)
    assert first_s - REST.looks * LOOK_S <= 0.05 + 1e-9


@given(MOVING)
def test_a_start_with_the_current_of_a_stall_is_none(moving_a: float) -> None:
    moments = [REST, Moment(3, [SUPPLY.stalling_a]), Moment(20, [moving_a])]
    assert not any(stalled for _, stalled, _ in judged(CurrentJudge(SUPPLY, SERVOS), moments))


@given(MOVING)
def test_one_that_starts_beside_one_that_stalls_is_not_called_stalled(moving_a: float) -> None:
    judge, stall_a = CurrentJudge(SUPPLY, SERVOS), SUPPLY.stalling_a
    found = judged(judge, [REST, Moment(8, [stall_a]), Moment(3, [stall_a] * 2), Moment(20, [stall_a, moving_a])])
    assert any(stalled for _, stalled, _ in found[:11])
    assert not any(stalled for _, stalled, _ in found[11:])


@given(st.lists(WITHIN, max_size=5), st.floats(0.5, 10.0))
def test_a_current_that_no_plan_explains_is_refused_within_seventy_milliseconds(
    drawn: list[float], more_a: float
) -> None:
    judge = CurrentJudge(SUPPLY, SERVOS)
    full_a = [SUPPLY.stalling_a] * len(drawn)
    judged(judge, [SETTLED])
    found = judged(judge, [Moment(10, full_a)], stray_a=more_a, at_s=SETTLED.looks * LOOK_S)
    assert next(at_s for at_s, _, beyond in found if beyond) - SETTLED.looks * LOOK_S <= 0.07 + 1e-9
    assert not found[3][2], "a moment is no short"


def test_servos_that_were_just_let_go_may_kick() -> None:
    moments = [REST, Moment(30, [0.3] * 5), Moment(1, [])]
    judge = CurrentJudge(SUPPLY, SERVOS)
    judged(judge, moments)
    assert not any(judge.note(0.35 + LOOK_S * look, 0.18 + 5 * 0.4, ()) for look in range(8))


@given(st.lists(st.just(SUPPLY.stalling_a), max_size=5), st.integers(1, 8))
def test_servos_that_were_let_go_before_the_first_look_may_kick(driven: list[float], looks: int) -> None:
    judge = CurrentJudge(SUPPLY, SERVOS)
    assert not any(beyond for _, _, beyond in judged(judge, [Moment(looks, driven)], stray_a=5 * SUPPLY.stalling_a))
    assert judge.most_a >= SUPPLY.stalling_a * len(driven), "what they draw is not taken for the current at rest"


async def overdrawn(rig: Rig, *commands: str) -> SupplyOverdrawn:
    with pytest.raises(SupplyOverdrawn) as caught:
        await rig.execute(*commands)
    return caught.value


async def test_a_short_stops_all_pulses_and_names_the_supply() -> None:
    async with open_rig(sensed()) as rig:
        await rig.execute("front-1 SHUT")
        begun_s = asyncio.get_running_loop().time()
        moving = asyncio.ensure_future(overdrawn(rig, "front-1 OPEN"))
        await asyncio.sleep(0.12)
        rig.world.short_supply()
        fault = (await moving).fault
        assert asyncio.get_running_loop().time() - begun_s < 0.12 + 0.08
        assert (fault.code, fault.part) == ("H-214", "V+")
        assert (fault.expected, fault.seen[:2]) == ("at most 0.95 A", "2.")
        assert not rig.output_enabled()
        rig.world.lift()
        await rig.execute("front-1 SHUT")
        assert rig.is_quiet()


@pytest.mark.parametrize("seed", range(4))
async def test_a_jammed_tile_is_let_go_after_fifty_milliseconds(seed: int) -> None:
    async with open_rig(sensed(), seed=seed) as rig:
        apply_fault(rig.world, "jam:front-3")
        with pytest.raises(TileJammed):
            await rig.execute("front-3 SHUT")
        # From the first pulse, which comes within a frame, and the free way of the rod.
        assert max(rig.driven_s(FRONT_3)[::2]) <= 0.02 + 0.02 + 0.055
        rig.world.lift()
        await rig.execute("front-3 SHUT")


async def test_without_a_sensor_it_is_driven_as_long_as_it_may() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "jam:front-3")
        with pytest.raises(TileJammed):
            await rig.execute("front-3 SHUT")
        assert max(rig.driven_s(FRONT_3)) > 0.5
        assert rig.firmware.servos.supply.drew_a is None


@pytest.mark.parametrize("seed", long_but_every(4, range(8)))
async def test_a_sound_box_moves_as_without_a_sensor(seed: int) -> None:
    async with open_rig(sensed(), seed=seed) as rig:
        rig.world._cuts.runt_us = lambda *_: None  # type: ignore[method-assign]
        for position in (SHUT, OPEN, SHUT):
            await rig.execute(*(f"{tile} {position}" for tile in rig.box.tile_ids))
        assert all(len(rig.driven_s(tile)) == 3 for tile in rig.box.tile_ids), "no try was cut"
        assert 0.5 < (rig.firmware.servos.supply.drew_a or 0.0) < rig.box.supply.limit_a


async def test_one_that_jams_beside_others_that_move_is_not_told_apart_until_they_are_there() -> None:
    async with open_rig(sensed()) as rig:
        rig.world._cuts.runt_us = lambda *_: None  # type: ignore[method-assign]
        apply_fault(rig.world, "jam:front-3")
        with pytest.raises(TileJammed, match="front-3"):
            await rig.execute(*(f"front-{number} SHUT" for number in range(1, 6)))
        others = [tile for tile in rig.box.tile_ids[:5] if tile != FRONT_3]
        assert {rig.world.position(tile) for tile in others} == {SHUT}
        assert all(len(rig.driven_s(tile)) == 1 for tile in others), "nobody else was let go early"
        assert 0.1 < rig.driven_s(FRONT_3)[0] < 0.58


async def test_a_sensor_that_falls_silent_stops_the_moves() -> None:
    async with open_rig(sensed()) as rig:
        apply_fault(rig.world, "silent:0x44")
        with pytest.raises(ChipSilent, match="0x44"):
            await rig.execute("front-1 SHUT")
        assert not rig.output_enabled()
