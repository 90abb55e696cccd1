"""The simulated world: servos, stack rule, magnets, switches, supply, panel, dice."""

import math
from collections import Counter
from itertools import combinations

import pytest

from hardware.box import Box, FieldLayout, box_names, load_box
from hardware.column import TRAVEL_DEG
from hardware.sim.dice import COLOURS, LOOKS, DieLook, SimulatedDie
from hardware.sim.hands import act
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import GpioPin
from tests.support.hand_clock import HandClock
from tests.support.true_box import breaks_stack_rule, dip, is_free, stress_of, wood_of

FRONT_7, BACK_3 = TileId(1, 7), TileId(2, 3)


class Table:
    """A world with /OE low, and shorthand for pulses and looks."""

    def __init__(self, seed: int = 1, name: str = "two-level-9") -> None:
        self.box: Box = load_box(name)
        self.clock = HandClock()
        self.world = World(self.box, self.clock, seed)
        self.world.set_line(self.box.panel.output_enable, False)

    def pulse(self, tile: TileId, pulse_us: float | None) -> None:
        self.world.drive(self.box.tiles[tile].servo, pulse_us)

    def send(self, tile: TileId, *, shut: bool, seconds: float = 0.5) -> None:
        self.pulse(tile, self.box.pulse_us(tile, shut=shut))
        self.clock.pass_s(seconds)

    def sees_shut(self, tile: TileId) -> bool:
        return not self.world.level(self.box.tiles[tile].shut)

    def sees_open(self, tile: TileId) -> bool:
        wire = self.box.tiles[tile].open
        assert wire is not None
        return not self.world.level(wire)

    def travel_s(self, tile: TileId, *, shut: bool) -> float:
        self.pulse(tile, self.box.pulse_us(tile, shut=shut))
        begun_s = self.clock()
        goal = Position.SHUT if shut else Position.OPEN
        while self.world.position(tile) is not goal:
            self.clock.pass_s(0.002)
            assert self.clock() - begun_s < 2
        return self.clock() - begun_s


def test_a_fresh_box_stands_and_its_sensors_say_so() -> None:
    table = Table()
    for tile in table.box.tile_ids:
        assert table.world.position(tile) is Position.OPEN
        assert table.sees_open(tile)
        assert not table.sees_shut(tile)


def test_a_pulse_moves_a_tile_in_about_the_time_a_servo_takes() -> None:
    down = [Table(seed).travel_s(FRONT_7, shut=True) for seed in range(20)]
    # Up to a frame, the horn's way from rest to where the tile falls, about 20 degrees, and 60 degrees of fall.
    assert 0.080 <= min(down) < max(down) <= 0.140


def test_standing_up_is_the_longer_way() -> None:
    table = Table()
    down_s = table.travel_s(FRONT_7, shut=True)
    table.send(FRONT_7, shut=True)
    assert table.travel_s(FRONT_7, shut=False) > 1.2 * down_s


def test_the_tile_stays_when_the_pulses_cease() -> None:
    table = Table()
    table.send(FRONT_7, shut=True)
    table.pulse(FRONT_7, None)
    table.clock.pass_s(60)
    assert table.world.position(FRONT_7) is Position.SHUT
    assert table.sees_shut(FRONT_7)
    assert not table.sees_open(FRONT_7)


@pytest.mark.parametrize(("pushed_us", "ends"), [(1750.0, Position.OPEN), (1900.0, Position.SHUT)])
def test_a_tile_that_is_let_go_comes_back_or_falls(pushed_us: float, ends: Position) -> None:
    table = Table()
    table.pulse(FRONT_7, pushed_us)
    table.clock.pass_s(0.5)
    table.pulse(FRONT_7, table.box.rest_us(FRONT_7))
    table.clock.pass_s(0.5)
    assert table.world.position(FRONT_7) is ends


def test_a_rod_lifts_a_tile_half_way_and_neither_sensor_says_yes() -> None:
    table = Table()
    table.world.hand_moves(FRONT_7, Position.SHUT)
    table.pulse(FRONT_7, 1330)
    table.clock.pass_s(0.5)
    table.pulse(FRONT_7, None)
    table.clock.pass_s(5)
    assert table.world.position(FRONT_7) is Position.BETWEEN, "the gears hold it"
    assert not table.sees_shut(FRONT_7)
    assert not table.sees_open(FRONT_7)
    with pytest.raises(ValueError, match="held by its servo"):
        table.world.hand_moves(FRONT_7, Position.SHUT)


def test_a_die_keeps_a_tile_up_and_stalls_nothing() -> None:
    table = Table()
    table.world.lay_die_under(FRONT_7)
    table.send(FRONT_7, shut=True)
    assert table.world.position(FRONT_7) is Position.BETWEEN
    assert not table.sees_shut(FRONT_7)
    assert stress_of(table.world).stalled_s == {}
    table.world.lift("die:front-7")
    table.clock.pass_s(0.5)
    assert table.sees_shut(FRONT_7)
    with pytest.raises(ValueError, match="it lies on its ledge"):
        table.world.lay_die_under(FRONT_7)


def test_without_output_enable_no_pulse_arrives() -> None:
    table = Table()
    table.world.set_line(table.box.panel.output_enable, None)  # undriven: the pull-up holds it off
    table.send(FRONT_7, shut=True)
    assert table.world.position(FRONT_7) is Position.OPEN
    table.world.set_line(table.box.panel.output_enable, False)
    table.clock.pass_s(0.5)
    assert table.world.position(FRONT_7) is Position.SHUT


@pytest.mark.parametrize("pulse_us", [100.0, 3000.0, 20000.0])
def test_what_is_no_servo_pulse_moves_nothing(pulse_us: float) -> None:
    table = Table()
    table.pulse(FRONT_7, pulse_us)
    table.clock.pass_s(1)
    assert table.world.position(FRONT_7) is Position.OPEN


@pytest.mark.parametrize(("tile", "other"), [(BACK_3, FRONT_7), (FRONT_7, BACK_3)])
def test_a_driven_tile_takes_the_one_in_its_way_along(tile: TileId, other: TileId) -> None:
    table = Table()
    if tile == FRONT_7:
        table.world.hand_moves(BACK_3, Position.SHUT)
    goal = Position.SHUT if tile == BACK_3 else Position.OPEN
    table.send(tile, shut=goal is Position.SHUT)
    assert table.world.position(tile) is table.world.position(other) is goal
    assert stress_of(table.world).pushed


@pytest.mark.parametrize("name", ["front-1", "back-9", "row3-1"])
@pytest.mark.parametrize("shut", [True, False])
def test_in_a_column_of_three_a_driven_tile_takes_along_all_in_its_way_and_passes_through_none(
    name: str, *, shut: bool
) -> None:
    table, driven = Table(name="rows-3"), TileId.parse(name)
    column = table.box.in_column(driven.column(table.box.columns))
    if not shut:
        table.world.hand_moves(column[-1], Position.SHUT)
    table.pulse(driven, table.box.pulse_us(driven, shut=shut))
    for _ in range(300):
        table.clock.pass_s(0.002)
        assert not breaks_stack_rule(table.world)
    in_its_way = column[: driven.row - 1] if shut else column[driven.row :]
    began_deg = 0.0 if shut else TRAVEL_DEG
    assert all(abs(wood_of(table.world, tile).angle_deg - began_deg) > 3.0 for tile in (driven, *in_its_way))
    assert bool(stress_of(table.world).pushed) is bool(in_its_way)


def test_a_back_tile_that_falls_on_a_front_tile_that_its_rod_holds_pushes_nothing() -> None:
    table = Table()
    table.world.hand_moves(FRONT_7, Position.SHUT)
    table.pulse(FRONT_7, 1450)
    table.clock.pass_s(0.5)
    table.pulse(FRONT_7, None)
    table.send(BACK_3, shut=True)
    table.world.catch_up()
    held_deg, lies_deg = (wood_of(table.world, tile).angle_deg for tile in (FRONT_7, BACK_3))
    assert 60 < held_deg < lies_deg < 90
    assert not stress_of(table.world).pushed
    table.send(FRONT_7, shut=False)
    assert stress_of(table.world).pushed, "the front tile takes it along"


def test_a_back_tile_stalls_against_a_front_tile_that_its_servo_holds() -> None:
    table = Table()
    table.send(FRONT_7, shut=False)
    table.send(BACK_3, shut=True)
    assert table.world.position(FRONT_7) is Position.OPEN
    assert table.world.position(BACK_3) is not Position.SHUT
    assert table.world.current_a > 0.6
    table.send(FRONT_7, shut=True)
    assert table.world.position(BACK_3) is Position.SHUT


def test_a_hand_takes_the_neighbour_along() -> None:
    table = Table()
    table.world.hand_moves(BACK_3, Position.SHUT)
    table.clock.pass_s(0.5)
    assert table.sees_shut(FRONT_7)
    assert table.sees_shut(BACK_3)
    table.world.hand_moves(FRONT_7, Position.OPEN)
    table.clock.pass_s(0.5)
    assert table.sees_open(FRONT_7)
    assert table.sees_open(BACK_3)
    assert all(is_free(table.world, tile) for tile in (FRONT_7, BACK_3)), "no gear was turned"


def test_a_hand_obeys_the_wood_and_the_servo() -> None:
    table = Table()
    table.world.jam(FRONT_7)
    with pytest.raises(ValueError, match="back-3 does not give way: it is blocked by a tile that is jammed"):
        table.world.hand_moves(BACK_3, Position.SHUT)
    table.world.lift()
    table.world.hand_moves(BACK_3, Position.SHUT)
    table.pulse(BACK_3, 2090)
    with pytest.raises(ValueError, match="front-7 does not give way: it is blocked by a tile that is driven"):
        table.world.hand_moves(FRONT_7, Position.OPEN)
    with pytest.raises(ValueError, match="OPEN, SHUT or BETWEEN"):
        table.world.hand_moves(FRONT_7, Position.UNKNOWN)


def test_a_jammed_tile_stalls_and_moves_when_the_jam_is_lifted() -> None:
    table = Table()
    table.world.jam(FRONT_7)
    table.send(FRONT_7, shut=True)
    assert table.world.position(FRONT_7) is Position.OPEN
    assert table.world.current_a > 0.6
    table.world.lift("jam:front-7")
    table.clock.pass_s(0.5)
    assert table.world.position(FRONT_7) is Position.SHUT


def test_a_slow_servo_takes_longer() -> None:
    table, slow = Table(), Table()
    slow.world.slow(FRONT_7)
    assert slow.travel_s(FRONT_7, shut=True) > 2.0 * table.travel_s(FRONT_7, shut=True), "it falls as fast as others"


def test_the_hall_sensor_has_hysteresis() -> None:
    """Going up it lets go at a smaller angle than it took hold at going down."""
    table = Table()
    table.send(FRONT_7, shut=True)
    off_deg = _edge_deg(table, range(1655, 1300, -2), shows_shut=False)
    on_deg = _edge_deg(table, range(1350, 1655, 2), shows_shut=True)
    # The data sheet's hysteresis is 9.5 to 11 degrees; a step of the pulse and the dead band widen it.
    assert 8.5 <= on_deg - off_deg <= 13.0


def _edge_deg(table: Table, pulses: range, *, shows_shut: bool) -> float:
    for pulse_us in pulses:
        table.pulse(FRONT_7, pulse_us)
        table.clock.pass_s(0.3)
        if table.sees_shut(FRONT_7) is shows_shut:
            return wood_of(table.world, FRONT_7).angle_deg
    pytest.fail("no edge")


def test_a_limit_switch_bounces_and_settles_within_20_ms() -> None:
    edges = Counter[int]()
    for seed in range(30):
        table = Table(seed)
        table.pulse(FRONT_7, 2000)
        while table.sees_open(FRONT_7):
            table.clock.pass_s(0.0001)
        seen, last_s = [False], table.clock()
        begun_s = last_s
        while table.clock() < begun_s + 0.04:
            table.clock.pass_s(0.0001)
            if table.sees_open(FRONT_7) is not seen[-1]:
                seen.append(not seen[-1])
                last_s = table.clock()
        assert last_s - begun_s <= 0.021
        assert seen[-1] is False
        edges[len(seen)] += 1
    assert max(edges) <= 10
    assert len(edges) >= 3


def test_one_stalled_servo_draws_its_stall_current() -> None:
    table = Table()
    assert 18 * 0.005 <= table.world.current_a <= 18 * 0.010
    table.world.jam(FRONT_7)
    table.send(FRONT_7, shut=True)
    assert table.world.current_a == pytest.approx(0.65, abs=0.2)


def test_a_supply_beyond_its_limit_sags_and_servos_slow_down() -> None:
    alone, crowd = Table(name="classic-12"), Table(name="classic-12")
    for tile in crowd.box.tile_ids[:7]:
        crowd.world.jam(tile)
        crowd.pulse(tile, 2000)
    crowd.clock.pass_s(0.1)
    tile = crowd.box.tile_ids[-1]
    assert crowd.travel_s(tile, shut=True) > 1.1 * alone.travel_s(tile, shut=True)


class ChipThatNotes:
    """A chip that notes its address when its registers are lost."""

    bits = ()

    def __init__(self, address: int, lost: list[int]) -> None:
        self._address = address
        self._lost = lost

    def lose_registers(self) -> None:
        self._lost.append(self._address)

    def flip(self, register: int, bit: int) -> None:
        raise AssertionError


def test_far_beyond_the_limit_the_boards_keep_their_registers_for_their_logic_hangs_on_another_supply() -> None:
    table = Table()
    lost: list[int] = []
    for address in (0x40, 0x20):
        table.world.attach(address, ChipThatNotes(address, lost))
    for tile in table.box.tile_ids:
        table.world.jam(tile)
        table.pulse(tile, 2000)
    table.clock.pass_s(0.1)
    table.world.now()
    assert table.world.current_a > 6
    assert not lost
    dip(table.world)
    assert lost == [0x40, 0x20]


def test_a_stuck_sensor_keeps_its_level_and_a_lifted_one_tells_the_truth() -> None:
    table = Table()
    table.world.stick(FRONT_7)
    table.send(FRONT_7, shut=True)
    assert not table.sees_shut(FRONT_7)
    table.world.lift()
    assert table.sees_shut(FRONT_7)


def test_a_chattering_sensor_never_holds_for_20_ms_near_the_magnet() -> None:
    table = Table()
    table.world.chatter(FRONT_7)
    assert not table.sees_shut(FRONT_7)
    table.send(FRONT_7, shut=True)
    looks = []
    for _ in range(200):
        table.clock.pass_s(0.001)
        looks.append(table.sees_shut(FRONT_7))
    assert all(len(set(looks[start : start + 20])) == 2 for start in range(180))


def test_the_button_is_down_as_long_as_the_finger_is() -> None:
    table = Table()
    line = table.box.panel.button
    assert line is not None
    seen: list[bool] = []
    table.world.watch_line(line, seen.append)
    assert table.world.level(line)
    table.world.press_button(0.3)
    assert not table.world.level(line)
    table.clock.pass_s(0.31)
    assert table.world.level(line)
    assert seen == [False, True]


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_a_press_takes_time(seconds: float) -> None:
    with pytest.raises(ValueError, match="takes longer"):
        Table().world.press_button(seconds)


def test_the_lid_closes_its_reed() -> None:
    table = Table()
    line = table.box.panel.lid
    assert line is not None
    assert table.world.level(line)
    table.world.close_lid()
    assert not table.world.level(line)
    table.world.open_lid()
    assert table.world.level(line)


def test_a_line_nobody_pulls_down_is_high() -> None:
    assert Table(name="classic-9").world.level(GpioPin(16))


def test_thrown_dice_come_to_rest_in_the_field() -> None:
    table = Table()
    table.world.throw_dice(2)
    assert table.world.dice() == ()
    table.clock.pass_s(0.5)
    rolling = table.world.dice()
    table.clock.pass_s(2)
    lying = table.world.dice()
    assert len(rolling) == len(lying) == 2
    assert rolling != lying
    assert all(22 <= die.x_mm <= 258 and 22 <= die.y_mm <= 178 for die in lying)
    assert {die.look.edge_mm for die in lying} == {16.0}
    table.world.clear_dice()
    assert table.world.dice() == ()


@pytest.mark.parametrize("name", box_names())
def test_one_to_six_dice_find_room_in_every_field(name: str) -> None:
    table = Table(name=name)
    layout, clear_mm = table.box.field, math.sqrt(2) * table.box.die_mm
    for count in 40 * [*range(1, 7)]:
        table.world.throw_dice(count)
        table.clock.pass_s(2)
        places = [(die.x_mm, die.y_mm) for die in table.world.dice()]
        assert len(places) == count
        assert all(20 <= x <= layout.width_mm - 20 and 20 <= y <= layout.depth_mm - 20 for x, y in places)
        assert all(math.dist(one, other) >= clear_mm for one, other in combinations(places, 2))


def test_dice_laid_by_hand_lie_at_once_and_just_so() -> None:
    table = Table()
    cocked = SimulatedDie(3, 1, 140.0, 100.0, 0.2, DieLook(16.0, *LOOKS[0]), lean_rad=0.4)
    table.world.lay_dice([cocked])
    assert table.world.dice() == (cocked,)


def test_a_throw_that_the_field_has_no_room_for_is_refused() -> None:
    box = load_box("two-level-9")
    small = box.model_copy(update={"die_mm": 30.0, "field": FieldLayout(width_mm=100, depth_mm=100)})
    with pytest.raises(ValueError, match="6 dice find no room in a field of 100 x 100 mm"):
        World(small, HandClock(), 1).throw_dice(6)


def test_the_seed_decides_the_throw() -> None:
    def thrown(seed: int) -> object:
        table = Table(seed)
        table.world.throw_dice(2)
        table.clock.pass_s(3)
        return table.world.dice()

    assert thrown(4) == thrown(4)
    assert thrown(4) != thrown(5)


def test_too_few_looks_are_refused() -> None:
    with pytest.raises(ValueError, match="2 dice need 2 looks, not 0"):
        Table().world.throw_dice(2, [])


def test_a_set_is_laid_beside_what_lies_there_and_rolls_first() -> None:
    table = Table()
    table.world.lay_set("red", (2, 2, 1, 5, 5, 6))
    table.clock.pass_s(2)
    red = table.world.dice()
    table.world.lay_set("blue", (3,) * 6)
    assert table.world.dice() == red
    table.clock.pass_s(0.5)
    assert table.world.dice()[:6] == red
    assert len(table.world.dice()) == 12
    table.clock.pass_s(2)
    both = table.world.dice()
    assert [die.value for die in both] == [2, 2, 1, 5, 5, 6, 3, 3, 3, 3, 3, 3]
    assert {die.look.body for die in both} == {COLOURS["red"][0], COLOURS["blue"][0]}
    assert both[0].look.faces[0] == "boat"
    places = [(die.x_mm, die.y_mm) for die in both]
    assert all(math.dist(one, other) >= math.sqrt(2) * 16 for one, other in combinations(places, 2))


def test_whoever_lays_a_set_takes_the_dice_of_the_last_throw_away() -> None:
    table = Table()
    table.world.throw_dice(2)
    table.clock.pass_s(2)
    table.world.lay_set("red", (2,) * 6)
    table.clock.pass_s(2)
    assert [die.value for die in table.world.dice()] == [2] * 6


def test_a_set_that_is_laid_anew_lies_there_once() -> None:
    table = Table()
    table.world.joker = "bolt"
    for values in ((2,) * 6, (1,) * 6):
        table.world.lay_set("red", values)
        table.clock.pass_s(2)
    assert [die.value for die in table.world.dice()] == [1] * 6
    assert table.world.dice()[0].look.faces[0] == "bolt"


def test_a_set_is_taken_away_and_the_others_stay() -> None:
    table = Table()
    for colour in ("red", "blue"):
        table.world.lay_set(colour, (4,) * 6)
    table.clock.pass_s(2)
    table.world.take_set("red")
    assert {die.look.body for die in table.world.dice()} == {COLOURS["blue"][0]}
    with pytest.raises(ValueError, match="no red dice lie there"):
        table.world.take_set("red")
    table.world.throw_dice(2)
    table.clock.pass_s(2)
    assert len(table.world.dice()) == 2


@pytest.mark.parametrize(
    ("do", "words", "said"),
    [
        ("lay", {"colour": "green", "faces": "2"}, "there are no green dice: the colours are white, red"),
        ("lay", {"colour": "red", "faces": "1"}, "no face '1': these dice show 2 to 6 or a joker"),
        ("lay", {"colour": "red", "faces": ""}, "a hand lays 1 to 12 dice, not 0"),
        ("take", {"colour": "red"}, "no red dice lie there"),
    ],
)
def test_a_set_that_no_hand_can_lay_is_refused(do: str, words: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        act(Table().world, do, words)


def test_the_faces_of_a_set_are_written_as_people_write_them() -> None:
    table = Table()
    act(table.world, "lay", {"colour": "white", "faces": "2, Boat,joker bolt,6,3"})
    table.clock.pass_s(2)
    assert [die.value for die in table.world.dice()] == [2, 1, 1, 1, 6, 3]
    act(table.world, "take", {"colour": "white"})
    assert table.world.dice() == ()
