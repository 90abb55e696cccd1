"""Pulses that are cut in their middle: the runt that is left, the kick of a servo, and digital ones, which hold."""

from dataclasses import replace

import pytest

from hardware.box import load_box
from hardware.sim.servo import Pulse, Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.hand_clock import HandClock
from tests.support.true_box import driven_tiles, servo_of, stress_of, wood_of

BOX = load_box("two-level-9")
FRONT_6, FRONT_7, BACK_3 = TileId(1, 6), TileId(1, 7), TileId(2, 3)
STANDS_US, RESTS_US, LIES_US = 820.0, 1655.0, 2090.0
ANALOG, DIGITAL = Tolerances(off_us=0.0), Tolerances(off_us=0.0, digital=1.0)


class Rig:
    """A world with /OE low on a clock that is moved by hand."""

    def __init__(self, seed: int = 1, tolerances: Tolerances = ANALOG) -> None:
        self.clock = HandClock()
        self.world = World(BOX, self.clock, seed, tolerances=tolerances)
        self.enable()

    def enable(self) -> None:
        self.world.set_line(BOX.panel.output_enable, False)

    def cut(self) -> None:
        self.world.set_line(BOX.panel.output_enable, True)

    def pulse(self, tile: TileId, pulse_us: float | None, on_us: float = 0.0, seconds: float = 0.0) -> None:
        self.world.drive(BOX.tiles[tile].servo, pulse_us, on_us)
        self.clock.pass_s(seconds)

    @property
    def kicked(self) -> list[TileId]:
        return [tile for tile, _ in stress_of(self.world).kicks]

    def kick(self, pulse_us: float, seconds: float = 0.5) -> None:
        """Drive front-7 there and let go, until a pulse was cut in its middle."""
        while not self.kicked:
            self.pulse(FRONT_7, pulse_us, seconds=seconds)
            self.pulse(FRONT_7, None, seconds=0.001)


@pytest.mark.parametrize(
    ("at_us", "runt_us"), [(4999, None), (5399, None), (5400, 400), (6200, 1200), (7089, 2089), (7090, None)]
)
def test_what_is_left_of_a_pulse_is_what_had_passed_of_it(at_us: float, runt_us: float | None) -> None:
    assert Pulse(LIES_US, on_us=5000.0).cut_at(at_us) == runt_us


def test_what_a_kicked_servo_draws_is_counted_apart() -> None:
    rig = Rig()
    rig.pulse(FRONT_7, LIES_US, seconds=0.5)
    rig.world.catch_up()
    driven_a, idle_a = stress_of(rig.world).most_a, stress_of(rig.world).most_kicking_a
    rig.kick(LIES_US)
    rig.clock.pass_s(0.2)
    rig.world.catch_up()
    assert driven_a > 0.2
    assert idle_a == 0.0
    assert stress_of(rig.world).most_kicking_a > 0.2, "it moves to where the runt sends it"


@pytest.mark.parametrize("by", ["/OE", "the register"])
def test_a_cut_falls_into_a_pulse_as_often_as_the_pulse_fills_its_frame(by: str) -> None:
    """Of the 20 ms of a frame, 1.7 leave a runt of 0.4 to 2.1 ms."""
    rig = Rig()
    for _ in range(2000):
        rig.pulse(FRONT_7, LIES_US, seconds=0.2)
        if by == "/OE":
            rig.cut()
        rig.pulse(FRONT_7, None, seconds=0.1)
        rig.enable()
    assert 0.06 <= len(rig.kicked) / 2000 <= 0.10


def test_one_cut_meets_all_pulses_that_stand_at_its_moment_and_no_other() -> None:
    together, apart = Rig(), Rig()
    for _ in range(300):
        for rig, on_us in ((together, 0.0), (apart, 2500.0)):
            rig.pulse(FRONT_6, LIES_US)
            rig.pulse(FRONT_7, LIES_US, on_us, seconds=0.3)
            rig.cut()
            rig.pulse(FRONT_6, None)
            rig.pulse(FRONT_7, None, seconds=0.1)
            rig.enable()
    moments = [{at_s for tile, at_s in stress_of(rig.world).kicks if tile == FRONT_6} for rig in (together, apart)]
    others = [{at_s for tile, at_s in stress_of(rig.world).kicks if tile == FRONT_7} for rig in (together, apart)]
    assert moments[0] == others[0] != set()
    assert moments[1]
    assert others[1]
    assert not moments[1] & others[1]


def test_two_boards_are_not_cut_at_the_same_moment_of_their_frames() -> None:
    rig = Rig()
    for _ in range(300):
        rig.pulse(FRONT_7, LIES_US)
        rig.pulse(BACK_3, STANDS_US, seconds=0.3)
        rig.cut()
        rig.pulse(FRONT_7, None)
        rig.pulse(BACK_3, None, seconds=0.1)
        rig.enable()
    assert set(rig.kicked) == {FRONT_7, BACK_3}
    moments = [at_s for _, at_s in stress_of(rig.world).kicks]
    assert len(set(moments)) > 0.8 * len(moments)


def test_a_board_that_finishes_its_frame_kicks_only_when_oe_cuts_it() -> None:
    rig = Rig(tolerances=replace(ANALOG, kick="frame"))
    for _ in range(200):
        rig.pulse(FRONT_7, LIES_US, seconds=0.2)
        rig.pulse(FRONT_7, None, seconds=0.1)
    assert not rig.kicked
    for _ in range(200):
        rig.pulse(FRONT_7, LIES_US, seconds=0.2)
        rig.cut()
        rig.pulse(FRONT_7, None, seconds=0.1)
        rig.enable()
    assert rig.kicked


@pytest.mark.parametrize("seed", range(5))
def test_a_kick_from_rest_lifts_a_lying_tile_and_leaves_a_standing_one(seed: int) -> None:
    """Every runt is shorter than the pulse that it is left of, and shorter pulses lift: 80 ms are up to 480 us."""
    lying, standing = (Rig(seed, Tolerances(off_us=0.0, kick_s=(0.08, 0.08))) for _ in range(2))
    lying.world.hand_moves(FRONT_7, Position.SHUT)
    for rig in (lying, standing):
        rig.kick(RESTS_US)
        rig.clock.pass_s(1.0)
        rig.world.catch_up()
    assert wood_of(lying.world, FRONT_7).angle_deg < 65
    assert standing.world.position(FRONT_7) is Position.OPEN


@pytest.mark.parametrize("seed", range(5))
def test_a_tile_whose_rod_is_kicked_off_its_end_falls_back(seed: int) -> None:
    rig = Rig(seed, Tolerances(off_us=0.0, kick_s=(0.05, 0.05)))
    rig.kick(LIES_US)
    rig.clock.pass_s(0.06)
    rig.clock.pass_s(1.0)
    assert rig.world.position(FRONT_7) is Position.SHUT


def test_a_kick_lasts_as_long_as_the_tolerances_say_and_the_horn_runs_out() -> None:
    rig = Rig(tolerances=Tolerances(off_us=0.0, kick_s=(0.03, 0.03)))
    servo = servo_of(rig.world, FRONT_7)
    rig.kick(LIES_US)
    rig.clock.pass_s(0.02)
    assert rig.world.current_a > 0.25, "it turns meanwhile"
    rig.clock.pass_s(0.012)
    assert rig.world.current_a < 0.2
    released_us = servo.horn_us
    rig.clock.pass_s(0.5)
    rig.world.catch_up()
    assert 10 < released_us - servo.horn_us < 150


def test_a_board_without_kicks_has_none() -> None:
    rig = Rig(tolerances=Tolerances(off_us=0.0, kick_s=(0.0, 0.0)))
    rig.kick(LIES_US - 200)
    rig.clock.pass_s(1.0)
    assert rig.world.position(FRONT_7) is Position.SHUT


def test_a_new_width_waits_for_the_next_frame() -> None:
    waited_s = set()
    for number in range(20):
        rig = Rig(number)
        rig.pulse(FRONT_7, STANDS_US, seconds=0.5 + number / 1000)
        rig.pulse(FRONT_7, LIES_US)
        began_s = rig.clock()
        while rig.world.current_a < 0.25:
            rig.clock.pass_s(0.001)
        waited_s.add(round(rig.clock() - began_s, 3))
    assert 0.0 < min(waited_s) < 0.008
    assert 0.012 < max(waited_s) <= 0.023


def test_a_digital_servo_holds_its_tile_when_its_pulses_end() -> None:
    analog, digital = Rig(tolerances=ANALOG), Rig(tolerances=DIGITAL)
    for rig in (analog, digital):
        rig.pulse(FRONT_7, LIES_US, seconds=0.5)
        rig.pulse(FRONT_7, RESTS_US, seconds=0.5)
        rig.pulse(FRONT_7, None, seconds=1.0)
        assert not rig.kicked
    analog.world.hand_moves(FRONT_7, Position.OPEN)
    with pytest.raises(ValueError, match="held by its servo"):
        digital.world.hand_moves(FRONT_7, Position.OPEN)
    assert not driven_tiles(digital.world)


def test_a_digital_servo_stalls_on_against_what_is_in_its_way() -> None:
    rig = Rig(tolerances=DIGITAL)
    rig.pulse(FRONT_7, STANDS_US, seconds=0.5)
    rig.pulse(BACK_3, LIES_US, seconds=0.5)
    rig.pulse(BACK_3, None, seconds=5.0)
    assert stress_of(rig.world).stalled_s[BACK_3] > 0.3
    assert BACK_3 not in driven_tiles(rig.world)
    rig.pulse(FRONT_7, LIES_US, seconds=0.6)
    assert rig.world.position(BACK_3) is Position.SHUT, "it has gone on as soon as it could"


def test_a_digital_servo_holds_at_the_runt() -> None:
    rig = Rig(tolerances=DIGITAL)
    rig.kick(LIES_US)
    rig.clock.pass_s(1.0)
    held = rig.world.position(FRONT_7)
    rig.clock.pass_s(60.0)
    assert held is rig.world.position(FRONT_7) is not Position.SHUT


def test_some_servos_of_a_box_are_digital_and_the_rest_stay_as_they_were() -> None:
    def held(share: float) -> set[TileId]:
        rig = Rig(tolerances=Tolerances(digital=share, kick="frame"))
        for tile in BOX.tile_ids[:9]:
            rig.pulse(tile, RESTS_US, seconds=0.1)
            rig.pulse(tile, None, seconds=0.1)
        return {tile for tile in BOX.tile_ids[:9] if not _gives_way(rig.world, tile)}

    assert held(0.0) == set()
    assert 0 < len(held(0.5)) < 9
    assert held(1.0) == set(BOX.tile_ids[:9])


def _gives_way(world: World, tile: TileId) -> bool:
    try:
        world.hand_moves(tile, Position.SHUT)
    except ValueError:
        return False
    return True
