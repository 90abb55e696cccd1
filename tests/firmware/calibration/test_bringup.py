"""Bring-up finds the mistakes of who has wired a box, all of them and no others, and what it proposes mends them."""

import random

import pytest

from controller.box.simulated import open_simulated_firmware
from firmware.calibration.columns import LidClosed, Stroker, measure_tiles
from firmware.calibration.measure import Proposal
from hardware.box import Box, load_box
from hardware.sim.servo import JUST_BUILT
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel
from hardware.wiring.changes import change_box
from tests.support.long import long_but_every
from tests.support.new_box import bring_up, eyes, new_world, wrong_wires
from tests.support.sensed_box import sensed
from tests.support.small_box import RIGID, small_box
from tests.support.true_box import longest_s, stress_of

SMALL, ROW, NO_SWITCHES = small_box(2, 3), small_box(1, 3), small_box(2, 2, sees_open=False)
KNOWN = ["two-level-9", "classic-9", "classic-12", "dominoes-15", "two-level-12", "classic-10"]


def mistakes(box: Box, rng: random.Random) -> list[str]:
    """Up to three swaps, a reversed servo and a moved board or expander, by chance."""
    pairs = zip(box.tile_ids, box.tile_ids[1:], strict=False)
    swappable = [tile for tile, after in pairs if after.row == tile.row]
    swaps = rng.sample(swappable, min(len(swappable), rng.randint(0, 3)))
    faults = [f"{rng.choice(['swapped', 'swapped-sensor'])}:{tile}" for tile in swaps]
    chip = rng.choice([each for each in box.chips if box.free_addresses(each)])
    return [*faults, f"reversed:{rng.choice(box.tile_ids)}", f"moved:0x{chip:02x}"]


def broken(box: Box, faults: list[str]) -> set[str]:
    """The parts that these faults concern: of a swap both tiles."""
    parts = set()
    for fault in faults:
        name, _, part = fault.partition(":")
        parts.add(part)
        if name.startswith("swapped"):
            parts.add(str(box.tile_ids[box.tile_ids.index(TileId.parse(part)) + 1]))
    return parts


async def check_mistakes(box: Box, seed: int) -> None:
    rng = random.Random(seed)
    faults = mistakes(box, rng)
    lying = [str(tile) for tile in box.tile_ids if tile.row == 1 and rng.random() < 0.4]
    world = new_world(box, faults, lying, seed)
    began = {tile: world.position(tile) for tile in box.tile_ids}
    first = await bring_up(world, box, eyes(world, box))
    assert {tile: world.position(tile) for tile in box.tile_ids} == began, faults
    after = change_box(box, first.changes)
    assert wrong_wires(world, after) == [], faults
    assert all(finding.mended for finding in first.findings)
    assert {finding.part for finding in first.findings} <= broken(box, faults)
    second = await bring_up(world, after, eyes(world, after))
    assert (second.findings, second.changes, second.found.untested) == ((), (), {}), faults
    assert longest_s(stress_of(world)) < 0.32, "no servo presses for longer than a stroke"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("box", [SMALL, ROW, NO_SWITCHES], ids=["two rows", "one row", "no switches"])
async def test_all_mistakes_are_found_and_the_changed_profile_has_none(box: Box, seed: int) -> None:
    await check_mistakes(box, seed)


@pytest.mark.parametrize("name", long_but_every(6, KNOWN))
async def test_so_it_is_on_every_known_box_of_one_or_two_rows(name: str) -> None:
    await check_mistakes(load_box(name), 1)


@pytest.mark.parametrize("seed", long_but_every(2, [2, 4, 5, 7]))
async def test_horns_that_were_mounted_by_eye_are_no_mistakes(seed: int) -> None:
    """Some are 13 degrees off, so that their tiles are not free at the rest of the profile; a third is reversed."""
    lying = ("front-1", "front-2") if seed % 2 == 0 else ()
    world = new_world(SMALL, ["swapped:back-3"], lying, seed, JUST_BUILT)
    first = await bring_up(world, SMALL, eyes(world, SMALL))
    assert {kind for kind, _ in first.kinds()} <= {"servo", "direction"}
    after = change_box(SMALL, first.changes)
    second = await bring_up(world, after, eyes(world, after))
    assert (second.findings, second.changes, second.found.untested) == ((), (), {})
    assert {str(tile) for tile in SMALL.tile_ids if world.position(tile) is Position.SHUT} == set(lying)


@pytest.mark.parametrize("lying", [(), ("front-1", "back-3"), ("front-1", "front-2", "front-3", "back-3", "back-2")])
@pytest.mark.parametrize("box", [SMALL, small_box(2, 3, motion=RIGID)], ids=["slot", "rigid"])
async def test_of_a_box_that_is_wired_as_its_profile_says_nothing_is_found_and_no_tile_is_pushed(
    box: Box, lying: tuple[str, ...]
) -> None:
    world = new_world(box, lying=lying)
    done = await bring_up(world, box)
    assert (done.findings, done.changes, done.found.untested) == ((), (), {})
    assert stress_of(world).pushed == set()
    assert {str(tile) for tile in box.tile_ids if world.position(tile) is Position.SHUT} == set(lying)


@pytest.mark.parametrize(
    ("fault", "kinds", "untested"),
    [
        ("swapped:front-1", {("servo", "front-1"), ("servo", "front-2")}, set()),
        ("swapped-sensor:back-3", {("sensor", "back-3"), ("sensor", "back-2")}, set()),
        ("reversed:back-1", {("direction", "back-1")}, set()),
        ("moved:0x40", {("chip", "0x40")}, set()),
        ("moved:0x20", {("chip", "0x20")}, set()),
        ("silent:0x20", {("chip", "0x20")}, {"front-1", "front-2", "front-3", "back-3", "back-2", "back-1"}),
        ("unplugged:front-2", {("silent", "front-2")}, {"back-2"}),
        ("jam:back-2", {("silent", "back-2")}, set()),
        ("stuck-open:front-1", {("stuck", "front-1")}, set()),
        ("stuck-shut:front-1", {("stuck", "front-1")}, set()),
        ("chatter:back-2", {("stuck", "back-2")}, set()),
        ("oe:high", {("supply", "V+")}, {"back-3", "back-2", "back-1"}),
    ],
)
async def test_a_mistake_is_named_by_its_part(fault: str, kinds: set[tuple[str, str]], untested: set[str]) -> None:
    world = new_world(SMALL, [fault])
    done = await bring_up(world, SMALL)
    assert done.kinds() == kinds
    assert set(map(str, done.found.untested)) == untested


async def test_a_person_clears_the_way_of_a_tile_behind_one_that_does_not_answer() -> None:
    world = new_world(SMALL, ["unplugged:front-2"])
    asked: list[tuple[str, str]] = []

    async def tip(tile: TileId, does: str) -> None:
        asked.append((str(tile), does))
        world.hand_moves(tile, Position.SHUT)

    done = await bring_up(world, SMALL, clear=tip)
    assert asked == [("front-2", "lie")]
    assert (done.kinds(), done.found.untested) == ({("silent", "front-2")}, {})


async def test_whoever_is_asked_once_and_does_nothing_is_not_asked_again() -> None:
    world = new_world(SMALL, ["jam:front-2"])
    asked: list[TileId] = []

    async def look_away(tile: TileId, _does: str) -> None:
        asked.append(tile)

    done = await bring_up(world, SMALL, clear=look_away)
    assert (len(asked), set(map(str, done.found.untested))) == (1, {"back-2"})


async def test_rows_whose_boards_are_exchanged_are_found() -> None:
    box = load_box("two-level-9")
    world = new_world(box)
    rows = dict(world._tile_on)
    world._tile_on = {ServoChannel(0x81 - wire.board, wire.channel): tile for wire, tile in rows.items()}
    done = await bring_up(world, box)
    assert done.kinds() == {("chip", "0x40 and 0x41")}
    assert len(done.changes) == 18
    assert wrong_wires(world, change_box(box, done.changes)) == []


async def test_two_servos_at_one_channel_are_named() -> None:
    world = new_world(ROW)
    command = world._mechanism.command

    def command_both(tile: TileId, pulse_us: float | None, runt_us: float | None = None) -> None:
        command(tile, pulse_us, runt_us)
        if tile == TileId(1, 1):
            command(TileId(1, 3), pulse_us, runt_us)

    world._mechanism.command = command_both  # type: ignore[method-assign]
    done = await bring_up(world, ROW)
    assert ("both", "front-1") in done.kinds()


async def test_a_current_sensor_at_another_address_is_told_from_a_servo_board() -> None:
    box = sensed()
    world = new_world(box, ["moved:0x44", "moved:0x41"])
    done = await bring_up(world, box)
    now = change_box(box, done.changes)
    assert (now.supply.current_sensor, now.servo_boards) == (0x42, (0x40, 0x43))


async def test_without_anybody_to_ask_plugs_that_could_be_either_ones_stay() -> None:
    """One sensor a tile: whether two servos or two sensors are swapped only somebody who looks can tell."""
    world = new_world(NO_SWITCHES, ["swapped-sensor:front-1"])
    done = await bring_up(world, NO_SWITCHES)
    assert done.changes == ()
    assert {("sensor", "front-1"), ("sensor", "front-2")} <= done.kinds()
    asked = await bring_up(world, NO_SWITCHES, eyes(world, NO_SWITCHES))
    assert [change.name for change in asked.changes] == ["tiles.front-1.shut", "tiles.front-2.shut"]


async def test_under_a_lid_that_comes_down_nothing_moves() -> None:
    box = load_box("classic-9")
    world = new_world(box, ["lid:closed"])
    with pytest.raises(LidClosed):
        await bring_up(world, box)
    assert stress_of(world).unmoved_s == {}


async def test_a_reversed_tile_is_calibrated_as_any_other() -> None:
    world = new_world(ROW, ["reversed:front-2"])
    turned = change_box(ROW, (await bring_up(world, ROW)).changes)
    async with open_simulated_firmware(turned, world) as firmware:
        await firmware.servos.arm()
        stroker = Stroker(turned, firmware.servos, firmware.sensors, firmware.panel)
        found = (await measure_tiles(stroker, turned, turned.tile_ids, lambda _tile, _outcome: None)).values()
    assert all(isinstance(each, Proposal) and each.verdict == "good" for each in found)
    # Nobody above the servos needs to know: its end points lie as those of the others.
    assert all(isinstance(each, Proposal) and abs(each.shut_us - 2090) < 60 for each in found)
