"""On the box itself: each sensor by hand, each servo by eye, and all tiles by the self-test."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.box.checks import examine
from controller.box.stored_calibration import NOT_CALIBRATED
from controller.box.table import Table
from firmware.calibration.bringup.responses import Lines, Watch
from firmware.calibration.columns import Stroker
from firmware.calibration.strokes import Stroke
from firmware.errors import LidDown, PulsesCut, SensorDoubtful, TileJammed, TileSlow, WiresSwapped
from firmware.selftest.findings import SelftestReport
from firmware.tiles.sensors import SensorLine
from hardware.tiles import Position, TileId
from tests.on_box.form import Entry, row
from tests.on_box.people import Request
from tests.on_box.visit import Visit, expect, fail

_COMES_S = 2.0  # a tile may come to rest a little later than Enter
_LOOK_S = 0.05
_TESTS = 3  # at most: a computer that is busy with something else makes a tile seem slow, but seldom the same one
_A_LITTLE = 0.2  # fraction of the way of a servo: 15 to 18 degrees of its horn

# The sensors, by hand.


@pytest.fixture
def by_hand(visit: Visit, chips: None) -> None:
    if visit.box.motion.rest_us is None:
        pytest.skip("rigid rods: no hand moves a tile of this box")


@pytest.mark.usefixtures("by_hand")
@row("Each sensor, by hand", "all tiles", "all stand, and their sensors say so")
async def test_all_tiles_stand(visit: Visit, table: Table, entry: Entry) -> None:
    await visit.ask(Request("Set all tiles up by hand. Enter when they stand."))
    seen = await table.firmware.bank.look()
    others = [f"{tile} {at}" for tile, at in seen.items() if at is not Position.OPEN]
    sentence = f"tiles: expected all OPEN, seen {', '.join(others)}. Look whether they stand; if so, see their sensors."
    expect(not others, sentence)


@pytest.mark.usefixtures("by_hand")
@row("Each sensor, by hand", "sensors of", "both ends, and no other tile's", wire="sensors", each="tile")
async def test_the_sensors_see_the_tile(visit: Visit, table: Table, entry: Entry, tile: TileId) -> None:
    visit.skip_without_chips(tile)
    column = visit.box.in_column(tile.column(visit.box.columns))
    along = " and ".join(map(str, column[: tile.row]))
    down = Request(f"Lay {tile} down by hand. Enter when it lies; n: it does not move.", (f"tip {tile} SHUT",))
    up = Request(f"Set {along} up again. Enter when done.", (f"tip {column[0]} OPEN",))
    for end, asked in ((Position.SHUT, down), (Position.OPEN, up)):
        before = await Watch(table.firmware.sensors).look()
        if await visit.ask(asked):
            fail(TileJammed(str(tile), expected="a tile that a hand moves", seen="one that does not"))
        seen = await _wait_for(table, lambda lines, end=end: _shows(visit, lines, tile, end))  # type: ignore[misc]
        strange = {line.tile for line in seen ^ before} - set(column)
        if strange and not any(line.tile == tile for line in seen ^ before):
            other = ", ".join(map(str, strange))
            fail(WiresSwapped(str(tile), expected=f"the {end.lower()} sensor of {tile}", seen=f"that of {other}"))
        if not _shows(visit, seen, tile, end):
            told = ", ".join(line.part for line in seen if line.tile == tile) or "neither"
            fail(SensorDoubtful(str(tile), expected=f"{end.lower()} ({entry.wire})", seen=told))
    entry.seen = "shut, then open"


def _shows(visit: Visit, lines: Lines, tile: TileId, end: Position) -> bool:
    """Return whether the sensor at this end of a tile, if it has one there, says yes, and the other one no."""
    wiring = visit.box.tiles[tile]
    is_wired = end is Position.SHUT or wiring.open is not None
    return {line for line in lines if line.tile == tile} == ({SensorLine(tile, end)} if is_wired else set())


async def _wait_for(table: Table, is_so: Callable[[Lines], bool]) -> Lines:
    """Look at all sensors until it is so, for two seconds at most."""
    watch = Watch(table.firmware.sensors)
    for _ in range(round(_COMES_S / _LOOK_S)):
        if is_so(await watch.look()):
            break
        await asyncio.sleep(_LOOK_S)
    return await watch.look()


# The servos, by eye.


@pytest.mark.usefixtures("chips")
@row("Each servo, by eye", "servo of", "its arm turns a little and back, and no other's", wire="servo", each="tile")
async def test_the_servo_turns(visit: Visit, table: Table, entry: Entry, tile: TileId) -> None:
    visit.skip_without_chips(tile)
    firmware, box = table.firmware, table.firmware.box
    rest_us = box.rest_us(tile)
    if rest_us is None and tile.row > 1:
        pytest.skip("rigid rods: the tile in front is in the way")
    await visit.warn_once(Request("Hands off: the servos move now, one after the other. Is their supply on?"))
    for fault in table.checks:
        if fault.code != NOT_CALIBRATED:
            pytest.skip(f"no servo is driven: {fault}")
    if firmware.panel.lid_is_closed:
        fail(LidDown("lid", expected="an open lid", seen="its switch closed"))
    open_us, shut_us = box.pulse_us(tile, shut=False), box.pulse_us(tile, shut=True)
    # A slotted rod leaves a tile at rest free, which stands and which this does not lift; a rigid one tilts it.
    from_us, to_us = (open_us, shut_us) if rest_us is None else (rest_us, open_us)
    stroker = Stroker(box, firmware.servos, firmware.sensors, firmware.panel)
    await firmware.servos.arm()
    await stroker.stroke(tile, Stroke(from_us))
    await stroker.stroke(tile, Stroke(from_us + _A_LITTLE * (to_us - from_us)))
    asked = f"Did the servo arm of {tile} turn a little, and no other? Enter: yes; n: none; or the tile whose arm did."
    try:
        answer = (await visit.ask(Request(asked, about="horn"))).lower()
    finally:
        await stroker.stroke(tile, Stroke(from_us))
    entry.seen = f"the person saw {answer or tile}" if answer != "n" else "the person saw none"
    if answer == "n":
        fail(TileJammed(str(tile), expected=f"its servo ({box.tiles[tile].servo}) turns", seen="none turns"))
    if answer not in ("", str(tile)):
        fail(WiresSwapped(str(tile), expected=f"the servo of {tile} turns", seen=f"that of {answer}"))


# All tiles, by the self-test.


async def _examined(visit: Visit, table: Table) -> SelftestReport:
    """Return the report of the self-test. It is made again where tiles were slow: they are if they are every time."""
    if visit.examined is None:
        await visit.ask(Request("Now all tiles go down and up, one by one. Hands off, lid open. Enter starts."))
        slow = set(map(str, visit.box.tile_ids))
        for _ in range(_TESTS):
            report = await examine(table, lambda _line, _done: None)
            slow &= {fault.part for fault in report.findings if fault.code == TileSlow.code}
            if not slow and not any(fault.code == PulsesCut.code for fault in report.findings):
                break
        lasting = (fault for fault in report.findings if fault.code != TileSlow.code or fault.part in slow)
        visit.examined = replace(report, findings=tuple(lasting))
    return visit.examined


@pytest.mark.usefixtures("chips")
@row("All tiles down and up", "way of", "down and up in time (slow: three times)", each="tile")
async def test_the_tile_goes_down_and_up(visit: Visit, table: Table, entry: Entry, tile: TileId) -> None:
    report = await _examined(visit, table)
    for times in report.tiles:
        if times.tile == tile:
            ways = ((times.down_s, "down"), (times.up_s, "up"))
            entry.seen = ", ".join(f"{way} {took_s:.2f} s" for took_s, way in ways if took_s is not None)
            entry.seen += f", tries again: {times.retries}" if times.retries else ""
    for fault in report.findings:
        if fault.part == str(tile):
            fail(fault)
    if str(tile) in report.untested:
        pytest.skip("a fault elsewhere keeps it from being tested")


@pytest.mark.usefixtures("chips")
@row("All tiles down and up", "everything else", "the self-test finds nothing")
async def test_the_self_test_finds_nothing_else(visit: Visit, table: Table, entry: Entry) -> None:
    report = await _examined(visit, table)
    others = [str(fault) for fault in report.findings if fault.part not in map(str, visit.box.tile_ids)]
    entry.seen = f"{len(report.findings)} findings, {len(report.untested)} tiles untested"
    if others:
        fail(" ".join(others))


@pytest.mark.usefixtures("chips")
@row("The bus and its chips, afterwards", "errors", "the bus was never stuck, and no servo board lost its registers")
async def test_the_bus_had_no_errors(visit: Visit, table: Table, entry: Entry) -> None:
    wires = {wiring.servo.board: wiring.servo for wiring in visit.box.tiles.values()}
    lost = sum(table.firmware.servos.count_set_ups(wire) for wire in wires.values())
    entry.seen = f"stuck: {table.firmware.bus.cleared}, registers lost: {lost}"
    cure = "Check the wires and pull-ups of the bus, and the boards' supply."
    expect(not table.firmware.bus.cleared and not lost, f"i2c: expected no errors, seen {entry.seen}. {cure}")
