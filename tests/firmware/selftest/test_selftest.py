"""The self-test finds what is broken, blames nothing else, and leaves the box as it was."""

import asyncio

import pytest

from firmware.errors import BusFault
from firmware.selftest.findings import SelftestReport
from firmware.selftest.selftest import examine_firmware
from hardware.box import LEAST_DRIVE_S, load_box
from hardware.sim.faults import apply_fault
from hardware.tiles import Position, TileId
from tests.support.firmware_rig import OPEN, SHUT, Rig, open_rig
from tests.support.long import long_but_every
from tests.support.sensed_box import sensed
from tests.support.small_box import small_box
from tests.support.true_box import driven_tiles, longest_s, stress_of

FRONTS = tuple(f"front-{number}" for number in range(1, 10))
# Where the number of tiles does not matter. back-3 stands behind front-1.
SMALL = small_box(2, 3)

BACKS = tuple(f"back-{number}" for number in range(9, 0, -1))


async def report_of(rig: Rig, *faults: str) -> SelftestReport:
    for fault in faults:
        apply_fault(rig.world, fault)
    report = await examine_firmware(rig.firmware, lambda _line, _done: None)
    assert rig.is_quiet()
    assert "oe:low" in rig.world.faults or not rig.output_enabled()
    return report


def found(report: SelftestReport) -> list[tuple[str, str]]:
    return [(finding.code, finding.part) for finding in report.findings]


# One of each form: `python -m tests.campaigns selftest` goes through all.
@pytest.mark.parametrize(
    "name", long_but_every(6, ["two-level-9", "classic-9", "two-level-12", "rows-6", "dominoes-28", "the-300"])
)
async def test_a_sound_box_passes_and_says_what_it_did(name: str) -> None:
    async with open_rig(name) as rig:
        lines: list[str] = []
        report = await examine_firmware(rig.firmware, lambda line, _done: lines.append(line))
        assert (report.findings, report.untested) == ((), ())
        assert report.passed
        assert lines[1] == "chip 0x40 answers"
        assert sum("went down and up" in line for line in lines) == rig.box.columns
        first, *others = rig.box.tile_ids
        kicked = {tile for tile, _ in stress_of(rig.world).kicks}
        drives = {tile: len(rig.driven_s(tile)) for tile in rig.box.tile_ids}
        # Twice to its end, off it for a moment and back to rest, where a sensor sees it stand.
        more = {tile: 6 if rig.firmware.sensors.sees_open(tile) else 0 for tile in rig.box.tile_ids}
        assert drives[first] - 3 == more[first] or first in kicked, "both ways, and once with /OE off"
        assert all(drives[tile] - 2 == more[tile] for tile in others if tile not in kicked), "both ways, once each"
        assert [times.tile for times in report.tiles if times.down_s and times.up_s] == [
            tile for column in range(1, rig.box.columns + 1) for tile in rig.box.in_column(column)
        ]
        assert rig.positions() == {OPEN}


async def test_every_tile_ends_where_it_began() -> None:
    async with open_rig(SMALL) as rig:
        for name in ("front-1", "front-3", "back-3"):
            rig.world.hand_moves(TileId.parse(name), SHUT)
        before = {tile: rig.world.position(tile) for tile in rig.box.tile_ids}
        await asyncio.sleep(0.1)
        assert (await report_of(rig)).passed
        assert {tile: rig.world.position(tile) for tile in rig.box.tile_ids} == before


@pytest.mark.parametrize("later_s", [0.02, 0.9])
@pytest.mark.parametrize("column", [2, 3])
async def test_a_lid_that_comes_down_amid_the_test_ends_it_and_no_tile_is_blamed(column: int, later_s: float) -> None:
    async with open_rig(SMALL) as rig:
        for name in ("front-1", "front-2", "back-3"):
            rig.world.hand_moves(TileId.parse(name), SHUT)
        driven_before = 0

        def let_down() -> None:
            nonlocal driven_before
            driven_before = len(rig.world.pulses)
            rig.world.close_lid()

        def progress(line: str, _done: float) -> None:
            if line.startswith(f"column {column}:"):
                asyncio.get_running_loop().call_later(later_s, let_down)

        report = await examine_firmware(rig.firmware, progress)
        assert rig.is_quiet()
        assert found(report) == [("H-210", "lid")]
        assert "front-1" not in report.untested
        driven = {wire for _, wire, pulse_us in rig.world.pulses[driven_before:] if pulse_us is not None}
        assert len(driven) <= 1, "only what was under way"


@pytest.mark.parametrize(
    ("fault", "findings", "untested"),
    long_but_every(
        6,
        [
            ("jam:front-7", [("H-301", "front-7")], ("back-3",)),
            ("jam:back-3", [("H-301", "back-3")], ()),
            ("holds:front-7", [("H-308", "front-7")], ()),
            ("holds:back-3", [("H-308", "back-3")], ()),
            ("stuck:front-7", [("H-302", "front-7")], ("back-3",)),
            ("chatter:front-4", [("H-304", "front-4")], ("back-6",)),
            ("silent:0x41", [("H-202", "0x41")], BACKS),
            ("silent:0x40", [("H-202", "0x40")], FRONTS + BACKS),
            ("silent:0x21", [("H-202", "0x21")], BACKS),
            ("forgot:0x41", [("H-203", "0x41")], BACKS),
            ("forgot:0x20", [("H-203", "0x20")], FRONTS + BACKS),
            ("astray:0x40", [("H-203", "0x40")], FRONTS + BACKS),
            ("astray:0x21", [("H-203", "0x21")], BACKS),
            ("bus:hung", [("H-201", "i2c")], FRONTS + BACKS),
            ("bus:stuck", [("H-201", "i2c")], ()),
            ("slow:front-2", [("H-306", "front-2")], ()),
            ("jam-up:front-9", [("H-301", "front-9")], ()),
            ("jam-down:back-9", [("H-301", "back-9")], ()),
            ("held:front-1", [("H-301", "front-1")], ("back-9",)),
            ("unplugged:back-1", [("H-301", "back-1")], ()),
            ("half-way:front-5", [("H-302", "front-5")], ("back-5",)),
            ("swapped:front-3", [("H-307", "front-3")], ("front-4", "back-7", "back-6")),
            ("swapped:back-3", [("H-307", "back-3")], ("back-2",)),
            ("swapped-sensor:front-3", [("H-307", "front-3")], ("front-4", "back-7", "back-6")),
            ("reversed:front-3", [("H-301", "front-3")], ("back-7",)),
            ("reversed:back-3", [("H-301", "back-3")], ()),
            ("moved:0x41", [("H-202", "0x41")], BACKS),
            ("moved:0x20", [("H-202", "0x20")], FRONTS + BACKS),
            ("stuck-shut:front-8", [("H-302", "front-8")], ("back-2",)),
            ("stuck-open:back-8", [("H-302", "back-8")], ("front-2",)),
            ("contradiction:back-5", [("H-302", "back-5")], ("front-5",)),
            ("oe:high", [("H-209", "/OE")], FRONTS + BACKS),
            ("oe:low", [("H-209", "/OE")], ()),
            ("interrupt:high", [("H-211", "INT")], ()),
            ("interrupt:low", [("H-211", "INT")], ()),
            ("header:edgeless", [("H-213", "header")], ()),
            ("sag", [("H-208", "supply")], ()),
            ("hot", [("H-212", "computer")], ()),
            ("lid", [("H-210", "lid")], FRONTS + BACKS),
            ("camera:dead", [], ()),
        ],
    ),
)
async def test_a_fault_is_named_and_what_it_hides_is_untested(
    fault: str, findings: list[tuple[str, str]], untested: tuple[str, ...]
) -> None:
    async with open_rig(faults=[fault]) as rig:
        report = await report_of(rig)
        assert found(report) == findings
        assert report.untested == untested
        assert report.passed is (not findings)


@pytest.mark.parametrize(
    ("fault", "findings", "untested"),
    [
        ("calibration:missing", [], ()),
        ("unplugged:front-5", [("H-301", "front-5")], ("back-5",)),
        ("jam:front-5", [("H-301", "front-5")], ("back-5",)),
        ("slow:front-2", [("H-306", "front-2")], ()),
        ("short:V+", [("H-214", "V+")], FRONTS + BACKS),
        ("silent:0x44", [("H-202", "0x44")], ()),
    ],
)
async def test_with_a_current_sensor_more_is_named(
    fault: str, findings: list[tuple[str, str]], untested: tuple[str, ...]
) -> None:
    async with open_rig(sensed(), faults=[fault]) as rig:
        report = await report_of(rig)
        assert found(report) == findings
        assert report.untested == untested
        # A servo that is not plugged in draws nothing; without a sensor it is not told from a jam.
        without = [finding.part for finding in report.findings if "draws no current" in finding.seen]
        assert without == (["front-5"] if fault == "unplugged:front-5" else [])


@pytest.mark.parametrize(
    ("fault", "code", "every"),
    long_but_every(
        13,
        [
            ("jam:front-7", "H-301", 1),
            ("jam-up:back-2", "H-301", 2),
            ("jam-down:front-7", "H-301", 1),
            ("unplugged:back-2", "H-301", 2),
            ("half-way:front-7", "H-302", 1),
            ("slow:front-8", "H-306", 2),
            ("swapped:front-6", "H-307", 1),
            ("swapped:front-6", "H-307", 2),
            ("swapped:back-4", "H-307", 1),
            ("swapped:back-4", "H-307", 2),
            ("swapped-sensor:front-6", "H-307", 1),
            ("swapped-sensor:back-3", "H-307", 2),
            ("reversed:front-6", "H-301", 1),
            ("reversed:back-4", "H-301", 2),
            ("stuck:front-7", "H-302", 1),
            ("stuck-shut:back-2", "H-302", 2),
            ("stuck-open:front-7", "H-302", 1),
            ("contradiction:front-8", "H-302", 2),
            ("chatter:back-3", "H-304", 1),
        ],
    ),
)
async def test_a_fault_is_named_whatever_lies_at_the_start(fault: str, code: str, every: int) -> None:
    async with open_rig() as rig:
        for tile in rig.box.tile_ids:
            if tile.column(rig.box.columns) % every == 0:
                rig.world.hand_moves(tile, SHUT)
        await asyncio.sleep(0.1)
        report = await report_of(rig, fault)
        assert found(report) == [(code, fault.partition(":")[2])]


async def test_nothing_moves_while_no_pulse_reaches_the_servos() -> None:
    """A box that lies is not driven tile after tile against a cause that they share."""

    async with open_rig() as rig:
        for tile in rig.box.tile_ids:
            rig.world.hand_moves(tile, SHUT)
        await asyncio.sleep(0.1)
        began_s = asyncio.get_running_loop().time()
        assert found(await report_of(rig, "oe:high")) == [("H-209", "/OE")]
        assert asyncio.get_running_loop().time() - began_s < 60


@pytest.mark.parametrize("fault", ["stuck:front-2", "half-way:front-2", "jam:back-2"])
async def test_a_tile_at_fault_ends_where_it_began_too(fault: str) -> None:
    async with open_rig(SMALL) as rig:
        for name in ("front-2", "back-2"):
            rig.world.hand_moves(TileId.parse(name), SHUT)
        await asyncio.sleep(0.1)
        assert not (await report_of(rig, fault)).passed
        assert rig.world.position(TileId.parse("front-2")) is SHUT
        assert rig.world.position(TileId.parse("back-2")) is SHUT


async def test_it_goes_on_after_a_finding() -> None:
    async with open_rig(SMALL) as rig:
        report = await report_of(rig, "jam:front-1", "stuck:front-3", "jam:back-2")
        assert found(report) == [("H-301", "front-1"), ("H-301", "back-2"), ("H-302", "front-3")]
        assert report.untested == ("back-3", "back-1")


async def test_two_silent_chips_are_two_findings() -> None:
    async with open_rig("two-level-12") as rig:
        report = await report_of(rig, "silent:0x41", "silent:0x22")
        assert found(report) == [("H-202", "0x41"), ("H-202", "0x22")]
        assert report.untested == tuple(f"back-{number}" for number in range(12, 0, -1))


async def test_a_tile_whose_sensors_contradict_each_other_is_found() -> None:
    async with open_rig(SMALL) as rig:
        rig.world.hold([rig.box.tiles[TileId(1, 2)].shut], high=False)
        report = await report_of(rig)
        assert found(report) == [("H-302", "front-2")]
        assert report.untested == ("back-2",)


async def test_no_front_tile_is_shut_that_could_not_come_up_again() -> None:
    async with open_rig(SMALL) as rig:
        for name in ("front-2", "back-2", "front-2"):
            position = OPEN if rig.world.position(TileId.parse(name)) is SHUT else SHUT
            if name == "back-2":
                position = Position.BETWEEN
            if name != "front-2" or position is SHUT:
                rig.world.hand_moves(TileId.parse(name), position)
        rig.world.jam(TileId.parse("back-2"))
        report = await report_of(rig)
        assert ("H-301", "back-2") in found(report)
        assert report.untested == ("front-2",)


async def test_after_the_test_a_mended_box_plays() -> None:
    async with open_rig() as rig:
        await report_of(rig, "silent:0x41", "silent:0x20")
        rig.world.lift()
        await rig.execute("front-7 SHUT", "back-3 SHUT")
        assert rig.world.position(TileId.parse("back-3")) is SHUT


@pytest.mark.parametrize(
    ("fault", "findings", "untested"),
    long_but_every(
        3,
        [
            ("stuck-shut:front-2", [("H-301", "front-2")], ("back-8",)),
            ("half-way:front-2", [("H-301", "front-2")], ("back-8",)),
            ("swapped:front-5", [("H-307", "front-5")], ("front-6", "back-5", "back-4")),
            ("oe:high", [("H-209", "/OE")], FRONTS + BACKS),
            ("oe:low", [("H-209", "/OE")], ()),
            ("jam:front-7", [("H-301", "front-7")], ("back-3",)),
        ],
    ),
)
async def test_a_box_without_open_sensors_blames_the_right_part_too(
    fault: str, findings: list[tuple[str, str]], untested: tuple[str, ...]
) -> None:
    whole = load_box("two-level-9")
    bare = {tile: wiring.model_copy(update={"open": None}) for tile, wiring in whole.tiles.items()}
    async with open_rig(whole.model_copy(update={"tiles": bare})) as rig:
        report = await report_of(rig, fault)
        assert found(report) == findings
        assert report.untested == untested


@pytest.mark.parametrize("drive", [1, 2], ids=["in the test of /OE", "in the move after it"])
async def test_a_board_that_falls_silent_while_it_pulses_is_cut_off_for_good(drive: int) -> None:
    """Nobody can tell it to stop, so no pulse passes /OE any more: what it kept from being tested is untested."""

    async with open_rig("the-300") as rig:
        front_1 = TileId(1, 1)
        rig.world.jam(front_1)
        testing = asyncio.ensure_future(examine_firmware(rig.firmware, lambda _line, _done: None))
        for _ in range(200):
            await asyncio.sleep(0.01 if rig.drives() < drive else 0.0)
        await asyncio.sleep(0.1)
        rig.world.silence(0x40)
        report = await testing
        assert found(report) == [("H-202", "0x40")]
        assert report.untested == tuple(map(str, rig.box.tile_ids)), "those on the other board as well"
        assert longest_s(stress_of(rig.world)) <= 0.8
        assert not driven_tiles(rig.world)
        assert not rig.output_enabled()
        # What answers again is told to stop before anything passes.
        rig.world.lift()
        await rig.execute("front-1 SHUT")
        assert rig.world.position(front_1) is SHUT


async def test_a_bus_that_hangs_at_the_very_end_is_found_too() -> None:
    async with open_rig(SMALL) as rig:
        release = rig.firmware.bank.release

        async def release_over_a_hung_bus() -> BusFault | None:
            apply_fault(rig.world, "bus:hung")
            return await release()

        rig.firmware.bank.release = release_over_a_hung_bus  # type: ignore[method-assign]
        report = await examine_firmware(rig.firmware, lambda _line, _done: None)
        assert found(report) == [("H-201", "i2c")]
        assert not report.passed


@pytest.mark.parametrize("faults", [(), ("stuck:front-3",)])
async def test_a_box_with_the_shortest_drives_and_no_open_sensors_is_tested_as_others(faults: tuple[str, ...]) -> None:
    blind = small_box(2, 3, sees_open=False)
    motion = blind.motion.model_copy(update={"timeout_s": LEAST_DRIVE_S})
    async with open_rig(blind.model_copy(update={"motion": motion}), faults=faults) as rig:
        report = await report_of(rig)
        assert {finding.part for finding in report.findings} == {fault.partition(":")[2] for fault in faults}


@pytest.mark.parametrize("name", ["classic-9", "dominoes-15"])
async def test_a_box_whose_only_servo_board_is_silent_has_one_fault(name: str) -> None:
    async with open_rig(name) as rig:
        report = await report_of(rig, "silent:0x40")
        assert found(report) == [("H-202", "0x40")]
        assert report.untested == tuple(map(str, rig.box.tile_ids))


async def test_a_switch_that_bounces_is_no_broken_interrupt() -> None:
    async with open_rig() as rig:
        await rig.firmware.bank.look()
        # Whatever the looks find, a hand is at a tile while the line is tested.
        asyncio.get_running_loop().call_later(0.61, rig.world.hand_moves, TileId(1, 5), Position.BETWEEN)
        assert found(await report_of(rig)) == []


async def test_tiles_that_cannot_be_put_back_are_told() -> None:
    async with open_rig(SMALL) as rig:
        rig.world.hand_moves(TileId(1, 2), SHUT)
        await asyncio.sleep(0.1)
        report = await report_of(rig, "swapped-sensor:front-2")
        assert found(report) == [("H-307", "front-2")]
        assert rig.world.position(TileId(1, 2)) is OPEN
        assert report.displaced == ("front-2", "front-3")


async def test_where_nobody_sees_a_tile_stand_a_slow_one_is_found_on_its_way_down() -> None:
    async with open_rig(small_box(2, 3, sees_open=False)) as rig:
        rig.world.hand_moves(TileId(1, 2), SHUT)
        await asyncio.sleep(0.1)
        assert found(await report_of(rig, "slow:front-2")) == [("H-306", "front-2")]
