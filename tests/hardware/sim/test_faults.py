"""Faults by the names the command line takes."""

import pytest

from hardware.box import load_box
from hardware.sim.faults import FAULTS, apply_fault
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.hand_clock import HandClock
from tests.support.together import together


def new_world(name: str = "two-level-9") -> World:
    return World(load_box(name), HandClock(), 1)


@together(
    "name",
    [
        "jam:front-7",
        "slow:back-3",
        "stuck:front-1",
        "chatter:back-9",
        "silent:0x41",
        "forgot:0x20",
        "astray:0x20",
        "bus:hung",
        "bus:stuck",
        "camera:frozen",
        "camera:dark",
        "camera:grey",
        "camera:dead",
        "jam-up:front-2",
        "jam-down:front-2",
        "held:front-2",
        "unplugged:front-2",
        "half-way:front-2",
        "die:front-2",
        "holds:front-2",
        "swapped:front-2",
        "swapped-sensor:front-2",
        "reversed:front-2",
        "moved:0x41",
        "stuck-shut:front-2",
        "stuck-open:front-2",
        "contradiction:front-2",
        "oe:high",
        "oe:low",
        "interrupt:high",
        "interrupt:low",
        "busy:GPIO22",
        "header:forbidden",
        "header:edgeless",
        "sag:supply",
        "hot:computer",
        "clock:held",
        "contact:loose",
        "lid:closed",
        "calibration:damaged",
    ],
)
def test_every_fault_holds_until_it_is_lifted(name: str) -> None:
    world = new_world()
    apply_fault(world, name)
    assert name in world.faults
    world.lift(name)
    assert name not in world.faults
    assert world.bus_hang_s is None
    assert not world.bus_breaks
    assert world.camera_fault is None
    assert not world.is_silent(0x41)


def test_the_names_are_complete() -> None:
    motion = ["jam", "jam-up", "jam-down", "held", "unplugged", "half-way", "die", "slow", "holds"]
    swaps = ["swapped", "swapped-sensor", "reversed"]
    sensors = ["stuck", "stuck-shut", "stuck-open", "contradiction", "chatter"]
    chips, lines = ["silent", "moved", "forgot", "astray"], ["bus", "clock", "contact", "oe", "interrupt"]
    electronics = [*chips, *lines, "busy", "header"]
    rest = ["short", "sag", "hot", "lid", "calibration", "camera"]
    assert list(FAULTS) == [*motion, *swaps, *sensors, *electronics, *rest]
    assert all(kind.description.endswith(".") for kind in FAULTS.values())


@pytest.mark.parametrize(
    "names",
    [
        ("camera:frozen", "camera:dark"),
        ("oe:high", "oe:low"),
        ("interrupt:high", "interrupt:low"),
        ("calibration:missing", "calibration:foreign"),
        ("header:forbidden", "header:edgeless"),
    ],
)
def test_what_can_be_broken_in_one_way_at_a_time_is_listed_once(names: tuple[str, str]) -> None:
    world = new_world()
    for name in names:
        apply_fault(world, name)
    assert world.faults == (names[1],)


def test_a_lid_that_is_lifted_is_listed_no_more() -> None:
    world = new_world()
    apply_fault(world, "lid:closed")
    world.open_lid()
    assert (world.faults, world.lid_is_closed) == ((), False)


def test_a_part_is_named_where_there_are_several() -> None:
    world = new_world()
    for name in ("sag", "clock", "lid"):
        apply_fault(world, name)
    assert world.faults == ("sag:supply", "clock:held", "lid:closed")
    with pytest.raises(ValueError, match=r"^oe needs a part: oe:high\|low; allowed are high, low$"):
        apply_fault(world, "oe")


@pytest.mark.parametrize("text", ["", "melt:front-1", "front-7"])
def test_an_unknown_fault_lists_the_known_ones(text: str) -> None:
    with pytest.raises(ValueError, match=r"jam:TILE, jam-up:TILE, .*camera:frozen\|dark\|grey\|dead"):
        apply_fault(new_world(), text)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("jam:back-3", "allowed are front-1, .*front-9$"),
        ("silent:0x41", "allowed are 0x40, 0x20$"),
        ("bus:slow", "allowed are hung"),
        ("camera:lost", "allowed are frozen, dark"),
        ("jam:2-5", "allowed are front-1, "),
    ],
)
def test_a_part_the_box_lacks_is_refused_with_those_it_has(text: str, allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed):
        apply_fault(new_world("classic-9"), text)


def test_a_domino_breaks_by_its_pips_and_by_no_other_name() -> None:
    world = new_world("dominoes-15")
    apply_fault(world, "jam:2-5")
    assert world.faults == ("jam:2-5",)
    with pytest.raises(ValueError, match=r"allowed are 1-2, 1-3, .*, 5-6$"):
        apply_fault(world, "jam:front-8")


def test_lifting_what_does_not_hold_is_refused() -> None:
    world = new_world()
    apply_fault(world, "bus:hung")
    with pytest.raises(ValueError, match=r"jam:front-1.*these do: bus:hung"):
        world.lift("jam:front-1")


def test_lifting_without_a_name_lifts_all() -> None:
    world = new_world()
    apply_fault(world, "bus:hung")
    apply_fault(world, "camera:dark")
    world.lift()
    assert world.faults == ()
    assert world.bus_hang_s is None


def test_of_two_faults_on_one_tile_the_other_holds_when_one_is_lifted() -> None:
    world = new_world()
    for name in ("jam-up:front-2", "jam-down:front-2", "jam:front-2"):
        apply_fault(world, name)
    world.lift("jam:front-2")
    with pytest.raises(ValueError, match="front-2 does not give way: it is jammed"):
        world.hand_moves(TileId(1, 2), Position.SHUT)
    world.lift("jam-up:front-2")
    world.hand_moves(TileId(1, 2), Position.SHUT)


def test_of_two_faults_on_one_sensor_the_later_one_counts_until_it_is_lifted() -> None:
    world = new_world()
    shut = world.box.tiles[TileId(1, 2)].shut
    apply_fault(world, "stuck-shut:front-2")
    apply_fault(world, "stuck-open:front-2")
    assert world.level(shut)
    world.lift("stuck-open:front-2")
    assert not world.level(shut)
    world.lift("stuck-shut:front-2")
    assert world.level(shut), "the tile stands"


def test_the_same_fault_twice_is_one() -> None:
    world = new_world()
    apply_fault(world, "swapped-sensor:front-2")
    apply_fault(world, "swapped-sensor:front-2")
    world.hand_moves(TileId(1, 2), Position.SHUT)
    assert not world.level(world.box.tiles[TileId(1, 3)].shut), "front-2 lies, and front-3's wire says so"
    world.lift("swapped-sensor:front-2")
    assert not world.level(world.box.tiles[TileId(1, 2)].shut)


def test_a_disturbed_chip_turns_over_a_bit_now_and_then_until_that_is_lifted() -> None:
    world = new_world()
    clock = world._clock
    assert isinstance(clock, HandClock)
    chip = ChipThatNotes()
    apply_fault(world, "astray:0x20")
    world.attach(0x20, chip)
    for _ in range(20):
        clock.pass_s(0.1)
        world.catch_up()
    assert 18 <= len(chip.flipped) <= 20
    assert set(chip.flipped) == set(chip.bits)
    world.lift("astray:0x20")
    before = len(chip.flipped)
    clock.pass_s(1.0)
    world.catch_up()
    assert len(chip.flipped) == before


class ChipThatNotes:
    """A chip of three bits, which notes which of them are turned over."""

    bits = ((0, 1), (0, 2), (5, 7))

    def __init__(self) -> None:
        self.flipped: list[tuple[int, int]] = []

    def lose_registers(self) -> None:
        raise AssertionError

    def flip(self, register: int, bit: int) -> None:
        self.flipped.append((register, bit))
