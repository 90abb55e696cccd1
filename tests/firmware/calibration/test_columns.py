"""The calibration on simulated boxes: in the order the wood allows, without hurting it, the others going on."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import product
from typing import Literal

import pytest

from firmware.calibration.columns import DRIVE_S, Failure, LidClosed, Outcome, Stroker, measure_tiles
from firmware.calibration.measure import Proposal
from firmware.calibration.slot import Slotted
from firmware.calibration.strokes import LONGEST_PRESS_S, Stroke, StrokeResult
from firmware.errors import PulsesCut
from firmware.tiles.servos import Servos
from hardware.box import LEAST_DRIVE_S, Box
from hardware.column import row_of
from hardware.sim.faults import apply_fault
from hardware.sim.linkage import slotted
from hardware.sim.mechanics import PLAY_DEG
from hardware.sim.servo import CAREFUL, JUST_BUILT, Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel
from tests.conftest import Run
from tests.support.firmware_rig import open_over
from tests.support.long import long_but_every
from tests.support.small_box import RIGID, small_box
from tests.support.true_box import end_points_us, longest_s, pulse_sent_us, stress_of

OPEN, SHUT = Position.OPEN, Position.SHUT
COLUMN = small_box(2, 1)
FRONT, BACK = TileId(1, 1), TileId(2, 1)


class StrictWorld(World):
    """A world that checks after every change of a pulse that no more than one servo is driven, and notes how long."""

    def __init__(self, box: Box, seed: int, tolerances: Tolerances) -> None:
        self._since_s: dict[ServoChannel, float] = {}
        self.longest_drive_s = 0.0
        self.pulses_us: list[float] = []
        super().__init__(box, asyncio.get_running_loop().time, seed, tolerances=tolerances)

    def drive(self, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        super().drive(wire, pulse_us, on_us)
        if not pulse_us:
            since_s = self._since_s.pop(wire, self.now())
            self.longest_drive_s = max(self.longest_drive_s, self.now() - since_s)
        else:
            self.pulses_us.append(pulse_us)
            self._since_s.setdefault(wire, self.now())
        assert len(self._since_s) <= 1


@dataclass
class Rig:
    world: StrictWorld
    stroker: Stroker
    box: Box
    heard: list[tuple[str, bool]]

    async def measured(self, *names: str) -> dict[str, Outcome]:
        asked = [TileId.parse(name) for name in names] or self.box.tile_ids
        outcomes = await measure_tiles(
            self.stroker, self.box, asked, lambda tile, outcome: self.heard.append((str(tile), outcome is not None))
        )
        stress = stress_of(self.world)
        assert longest_s(stress) <= LONGEST_PRESS_S
        assert not stress.pushed
        return {str(tile): outcome for tile, outcome in outcomes.items()}

    def at(self) -> list[Position]:
        return [self.world.position(tile) for tile in self.box.tile_ids]

    def errors_deg(self, name: str, outcome: Outcome) -> tuple[float, float]:
        assert isinstance(outcome, Proposal)
        tile = TileId.parse(name)
        ends = end_points_us(self.world, tile)
        asked = (outcome.open_us, outcome.shut_us)
        sent = [pulse_sent_us(self.world, self.box.tiles[tile].servo.board, each) for each in asked]
        opened, shut = (90 * (got - true) / (ends[1] - ends[0]) for got, true in zip(sent, ends, strict=True))
        return opened, shut


@asynccontextmanager
async def rig_of(
    box: Box, *, seed: int = 1, tolerances: Tolerances = JUST_BUILT, lying: Iterable[TileId] = ()
) -> AsyncIterator[Rig]:
    world = StrictWorld(box, seed, tolerances)
    for tile in lying:
        world.hand_moves(tile, SHUT)
    async with open_over(world, box) as firmware:
        await firmware.servos.arm()
        yield Rig(world, Stroker(box, firmware.servos, firmware.sensors, firmware.panel), box, [])


@pytest.mark.parametrize("lying", [(FRONT,), (FRONT, BACK)], ids=["front lies", "both lie"])
async def test_every_tile_is_measured_whichever_lie_and_all_are_put_back(lying: tuple[TileId, ...]) -> None:
    async with rig_of(COLUMN, seed=4, lying=lying) as rig:
        before = rig.at()
        outcomes = await rig.measured()
        assert rig.at() == before
        for name, outcome in outcomes.items():
            assert isinstance(outcome, Proposal)
            assert outcome.verdict == "good"
            assert max(map(abs, rig.errors_deg(name, outcome))) < 3
        assert all(480 < pulse_us < 2600 for pulse_us in rig.world.pulses_us)
        # A move as in play has as much time again once it has left; a small stroke has not.
        assert rig.world.longest_drive_s < 2 * DRIVE_S


async def test_a_slow_tile_is_watched_no_longer_than_a_servo_of_this_box_may_be_driven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It leaves its switch so late that the time for a whole way from there on would be too long.
    monkeypatch.setattr("hardware.sim.servo.SLOW_FACTOR", 0.115)
    column = small_box(2, 1, motion=RIGID)
    motion = column.motion.model_copy(update={"timeout_s": LEAST_DRIVE_S})
    async with rig_of(column.model_copy(update={"motion": motion}), seed=3, tolerances=CAREFUL) as rig:
        apply_fault(rig.world, "slow:front-1")
        result = await rig.stroker.stroke(FRONT, Stroke(motion.shut_us, SHUT))
        assert result.left_s == pytest.approx(0.25, abs=0.03)
        assert result.arrived_s is None
        assert 0.45 < rig.world.longest_drive_s < motion.give_up_s + 0.01
        assert not rig.world.level(rig.box.panel.output_enable), "nobody had to cut"


@pytest.mark.parametrize(("seed", "halls"), long_but_every(4, product([1, 2, 3], ["typical", "dull", "keen"])))
async def test_a_tile_is_good_with_the_sensors_of_the_parts_list(
    seed: int, halls: Literal["typical", "dull", "keen"]
) -> None:
    async with rig_of(small_box(1, 1), seed=seed, tolerances=Tolerances(off_us=150.0, halls=halls)) as rig:
        outcome = (await rig.measured("front-1"))["front-1"]
        assert isinstance(outcome, Proposal)
        assert (outcome.verdict, outcome.reason) == ("good", "both ends found.")
        assert max(map(abs, rig.errors_deg("front-1", outcome))) < 3.1


@pytest.mark.parametrize("at_s", long_but_every(2, [3.0, 6.15, 7.49, 20.56]))
async def test_a_servo_board_that_resets_amid_a_stroke_makes_no_wrong_ends(at_s: float) -> None:
    async with rig_of(small_box(1, 1), seed=2) as rig:
        asyncio.get_running_loop().call_later(at_s, rig.world.forget, 0x40)
        outcomes = await rig.measured("front-1")
        outcome = outcomes["front-1"]
        assert isinstance(outcome, Proposal)
        assert outcome.verdict == "good"
        assert max(map(abs, rig.errors_deg("front-1", outcome))) < 3


async def test_a_servo_board_that_resets_in_every_search_is_named() -> None:
    async with rig_of(small_box(1, 1), seed=2) as rig:
        for number in range(40):
            asyncio.get_running_loop().call_later(3 + 6 * number, rig.world.forget, 0x40)
        outcomes = await rig.measured("front-1")
        failure = outcomes["front-1"]
        assert isinstance(failure, Failure)
        assert failure.seen == "its servo board lost its registers again and again"
        assert "power" in failure.cure


class BusyComputer:
    """Cuts the pulses 60 ms into one stroke of so many, as bus and guard do where the processor is wanted elsewhere."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._made = 0

    async def measured(self, rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Outcome:
        drive, stroke = Servos.drive, Stroker._stroke

        async def cut(servos: Servos, wire: ServoChannel, pulse_us: float) -> None:
            await drive(servos, wire, pulse_us)
            await asyncio.sleep(0.06)
            await servos.stop_all()
            raise PulsesCut("/OE", expected="a processor for the bus", seen="a computer too busy")

        async def counted(stroker: Stroker, tile: TileId, wanted: Stroke) -> StrokeResult:
            self._made += 1
            with monkeypatch.context() as patch:
                if self._made % self._every == 0:
                    patch.setattr(Servos, "drive", cut)
                return await stroke(stroker, tile, wanted)

        with monkeypatch.context() as patch:
            patch.setattr(Stroker, "_stroke", counted)
            return (await rig.measured("front-1"))["front-1"]


@pytest.mark.parametrize(("every", "seed"), long_but_every(3, product([4, 7, 19], [2, 3, 4])))
async def test_a_busy_computer_that_cuts_the_pulses_amid_many_a_stroke_spoils_no_measurement(
    monkeypatch: pytest.MonkeyPatch, every: int, seed: int
) -> None:
    async with rig_of(small_box(1, 1), seed=seed) as rig:
        calm = (await rig.measured("front-1"))["front-1"]
    async with rig_of(small_box(1, 1), seed=seed) as rig:
        outcome = await BusyComputer(every).measured(rig, monkeypatch)
        assert isinstance(outcome, Proposal)
        assert isinstance(calm, Proposal)
        assert (outcome.verdict, outcome.reason) == (calm.verdict, calm.reason)
        assert max(map(abs, rig.errors_deg("front-1", outcome))) < 3
        assert outcome.shut_s == pytest.approx(calm.shut_s, abs=0.03)
        assert outcome.open_s == pytest.approx(calm.open_s, abs=0.03)


async def test_a_computer_that_is_always_busy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig_of(small_box(1, 1), seed=2) as rig:
        with pytest.raises(PulsesCut, match="H-222"):
            await BusyComputer(2).measured(rig, monkeypatch)


async def test_a_tile_behind_is_measured_alone_and_the_one_before_it_only_moved() -> None:
    async with rig_of(COLUMN, seed=3) as rig:
        outcomes = await rig.measured("back-1")
        assert list(outcomes) == ["back-1"]
        assert isinstance(outcomes["back-1"], Proposal)
        assert rig.heard == [("back-1", False), ("back-1", True)]
        assert rig.at() == [OPEN, OPEN]


async def test_a_jammed_tile_fails_by_name_keeps_its_neighbour_and_leaves_the_others_alone() -> None:
    async with rig_of(small_box(2, 2), seed=3) as rig:
        rig.world.jam(FRONT)
        outcomes = await rig.measured("front-1", "back-2", "front-2")
        jammed, blocked = outcomes["front-1"], outcomes["back-2"]
        assert isinstance(jammed, Failure)
        assert "keep saying open" in jammed.seen
        assert isinstance(blocked, Failure)
        assert "front-1 must lie" in blocked.seen
        assert isinstance(outcomes["front-2"], Proposal)


@pytest.mark.parametrize("seed", long_but_every(3, [1, 2, 3]))
@pytest.mark.parametrize("lying", [(), (FRONT,)])
async def test_a_tile_whose_sensors_do_not_follow_it_is_in_the_way_wherever_they_say_it_is(
    seed: int, lying: tuple[TileId, ...]
) -> None:
    async with rig_of(COLUMN, seed=seed, lying=lying) as rig:
        rig.world.stick_shut(FRONT)
        outcomes = await rig.measured()
        lost, behind = outcomes["front-1"], outcomes["back-1"]
        assert isinstance(lost, Failure)
        assert "its sensors" in lost.seen
        assert isinstance(behind, Failure)
        assert "front-1" in behind.seen
        assert not stress_of(rig.world).pushed


FAULTS = {
    "no magnet": (World.stick, "shut sensor never answered"),
    "too slow": (World.slow, "not slow"),
    "flickers": (World.chatter, "at once, or flicker"),
    "unplugged": (World.unplug, "plugged in"),
    "comes not up": (World.jam_up, "but not back"),
    "stops half way": (World.stop_half_way, "shut sensor never answered"),
    "shut and open": (World.contradict, "at once"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_what_is_wrong_with_a_tile_is_said(fault: str) -> None:
    breaks, said = FAULTS[fault]
    async with rig_of(small_box(1, 1), tolerances=CAREFUL) as rig:
        breaks(rig.world, FRONT)
        outcome = (await rig.measured())["front-1"]
        words = f"{outcome.seen} {outcome.cure}" if isinstance(outcome, Failure) else outcome.reason
        assert isinstance(outcome, Failure) or outcome.verdict == "poor"
        assert said in words


async def test_a_sensor_stuck_at_shut_is_named_beside_what_looks_the_same() -> None:
    async with rig_of(small_box(1, 1), tolerances=CAREFUL, lying=(FRONT,)) as rig:
        rig.world.stick(FRONT)
        outcome = (await rig.measured())["front-1"]
        assert isinstance(outcome, Failure)
        assert "shut" in outcome.seen
        assert "sensor" in outcome.cure


def test_a_loose_tile_is_poor_and_a_tight_one_beside_it_is_not(run: Run) -> None:
    async def work(tolerances: Tolerances) -> Outcome:
        async with rig_of(small_box(1, 1, motion=RIGID), tolerances=tolerances) as rig:
            return (await rig.measured())["front-1"]

    tight, loose = (run(work(Tolerances(off_us=100.0, loose=part))) for part in (0.0, 1.0))
    assert tight.verdict == "good"
    assert loose.verdict == "poor"
    assert "loose" in loose.reason


@pytest.mark.parametrize("mirrored", [0.0, 1.0])
async def test_one_sensor_is_enough_for_a_slotted_rod(mirrored: float) -> None:
    box = small_box(1, 1, sees_open=False)
    async with rig_of(box, tolerances=Tolerances(off_us=100.0, mirrored=mirrored)) as rig:
        outcome = (await rig.measured())["front-1"]
        assert isinstance(outcome, Proposal)
        print(outcome)
        assert (outcome.verdict, outcome.open_s) == ("good", None)
        assert max(map(abs, rig.errors_deg("front-1", outcome))) < 3.1
        assert rig.at() == [OPEN]


@pytest.mark.long
async def test_three_rows_are_measured_in_an_order_the_wood_allows() -> None:
    box = small_box(3, 1)
    async with rig_of(box, seed=6, tolerances=Tolerances(off_us=100.0, mirrored=0.5), lying=box.tile_ids[:2]) as rig:
        outcomes = await rig.measured()
        assert {getattr(outcome, "verdict", "failed") for outcome in outcomes.values()} == {"good"}
        assert rig.at() == [SHUT, SHUT, OPEN]


async def test_no_tile_is_moved_under_a_closed_lid() -> None:
    async with rig_of(small_box(1, 1)) as rig:
        asyncio.get_running_loop().call_later(2.0, rig.world.close_lid)
        with pytest.raises(LidClosed):
            await rig.measured()
        assert asyncio.get_running_loop().time() < 2.6


@pytest.mark.parametrize(("open_us", "rest_us", "shut_us"), [(820, 1655, 2090), (2180, 1345, 910)])
def test_the_edges_of_a_slotted_rod_are_where_its_drawing_has_them(open_us: int, rest_us: int, shut_us: int) -> None:
    tile, rod = Slotted(open_us, rest_us, shut_us, True), slotted(row_of(1), open_us, rest_us, shut_us)
    half_play_deg = sum(PLAY_DEG) / 4
    assert rod.low_deg(tile.falls_us) - half_play_deg == pytest.approx(17.5, abs=0.5)
    assert rod.high_deg(tile.stands_us) + half_play_deg == pytest.approx(21.0, abs=0.5)
