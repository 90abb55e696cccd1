"""On the box itself: computer, chips, sensors by hand, servos by eye, all tiles by the self-test, the panel."""

import asyncio
import platform
import sys
from collections.abc import Awaitable, Callable

import pytest

from controller.box.checks import examine, leaves_pulses_on
from controller.box.table import Table
from controller.runtime.machine import model_name
from firmware.calibration.bringup.chips import find_chips, kinds_of
from firmware.calibration.bringup.responses import Lines, Watch
from firmware.calibration.columns import Stroker
from firmware.calibration.strokes import Stroke
from firmware.drivers.bus import chip_name
from firmware.errors import LidDown, OutputStuck, PulsesCut, SensorDoubtful, TileJammed, WiresSwapped
from firmware.input_line import edges_missing
from firmware.panel import ButtonPressed, LidClosed, LidOpened, Light, PanelEvent
from firmware.selftest.findings import SelftestReport
from firmware.tiles.sensors import SensorLine
from hardware.tiles import Position, TileId
from tests.on_box.form import Entry, row
from tests.on_box.people import Request
from tests.on_box.visit import Visit, expect, fail

_COMES_S = 2.0  # a tile, or a finger, may come a little later than Enter
_LOOK_S = 0.05
_A_LITTLE = 0.2  # fraction of the way of a servo: 15 to 18 degrees of its horn
_OFF_V = 2.5  # at least, on /OE: hardware/README.md, "Measured before any servo is connected"
_SUPPLY_V = (4.8, 6.0)


@pytest.fixture
def table(visit: Visit) -> Table:
    """The open box."""
    if visit.table is None:
        pytest.skip("the box is not open")
    return visit.table


@pytest.fixture
def chips(visit: Visit) -> None:
    """A box, and not a computer alone."""
    if not visit.answering:
        pytest.skip("no chip answers: the computer is alone")


# The computer.


@row("The computer", "opening", "bus, header and camera are given to this program", is_bare=True)
async def test_the_box_opens(visit: Visit, entry: Entry) -> None:
    table = await visit.open_box()
    await visit.begin()
    guarded = any(place.exists() for place in visit.home.guard_sockets)
    entry.seen = f"open; /OE is driven by {'the guard' if guarded else 'this program'}"
    for fault in table.unusable:
        fail(fault)


@row("The computer", "model", "a Raspberry Pi with a 64-bit system", is_bare=True)
async def test_the_model(visit: Visit, entry: Entry) -> None:
    entry.seen = f"{model_name() or 'no Raspberry Pi'}, {platform.machine()}"
    expect(sys.maxsize > 2**32, "computer: expected a 64-bit system, seen one of 32 bits. Take the 64-bit system.")
    if visit.is_simulated:
        pytest.skip("the box is behind a wire")


@row("The computer", "supply and temperature", "no under-voltage since the start, less than 80 °C", is_bare=True)
async def test_supply_and_temperature(table: Table, entry: Entry) -> None:
    reading = await table.firmware.computer.read()
    entry.seen = f"{reading.temperature_c} °C, under-voltage now: {reading.is_under_voltage}"
    for fault in await table.firmware.computer.faults_since_start():
        fail(fault)


@row("The computer", "edges", "the lines of the header tell of changes", is_bare=True)
async def test_the_header_has_edges(table: Table) -> None:
    if not table.firmware.has_edges:
        fail(edges_missing())


@row("The computer", "/OE at rest", "at least 2.5 V, by a meter", wire="output_enable", is_bare=True)
async def test_output_enable_is_off(visit: Visit, table: Table, entry: Entry) -> None:
    asked = f"Measure {visit.box.panel.output_enable} (/OE) against ground: how many volts? Enter: no meter."
    volts = await visit.volts(Request(asked, about="/OE volts"))
    entry.seen = f"{volts:.2f} V"
    if volts < _OFF_V:
        fail(OutputStuck("/OE", expected=f"at least {_OFF_V} V at rest", seen=entry.seen))


@row("The computer", "/OE after a crash", "the line becomes an input again", wire="output_enable", is_bare=True)
async def test_output_enable_goes_off_after_a_crash(visit: Visit) -> None:
    if visit.is_simulated:
        pytest.skip("the box is behind a wire")
    cure = "Write dtparam=strict_gpiod into /boot/firmware/config.txt, and start it again."
    expect(not leaves_pulses_on(), f"/OE: expected a line that is let go, seen one that stays an output. {cure}")


# The chips.


@row("The bus and its chips", "scan", "it ends; no chip answers that the profile does not have", wire="", is_bare=True)
async def test_the_bus_is_scanned(visit: Visit, table: Table, entry: Entry) -> None:
    visit.answering = await table.firmware.scan.find()
    entry.seen = ", ".join(map(chip_name, visit.answering)) or "no chip answers"
    found = await find_chips(table.firmware.scan, visit.box)
    strange = [f"{chip_name(to)} in place of {chip_name(at)}" for at, to in found.moved.items()]
    strange += map(chip_name, found.strangers)
    sentence = f"i2c: expected the chips of {visit.box.name}, seen {', '.join(strange)} too. Check the address jumpers."
    expect(not strange, sentence)


@pytest.mark.usefixtures("chips")
@row("The bus and its chips", "chip", "an answer", each="chip")
async def test_the_chip_answers(visit: Visit, table: Table, entry: Entry, chip: int) -> None:
    servos, sensors, kind = table.firmware.servos, table.firmware.sensors, kinds_of(visit.box)[chip]
    if chip not in (visit.answering or ()):
        (servos if kind == "servo board" else sensors).set_aside(chip)
    ping = {"servo board": servos.ping, "expander": sensors.ping}.get(kind)
    await (servos.supply.ping(chip) if ping is None else ping(chip))
    entry.seen = "an answer"


@pytest.mark.usefixtures("chips")
@row("The bus and its chips", "V+", "4.8 to 6.0 V, by a meter")
async def test_the_supply_of_the_servos(visit: Visit, entry: Entry) -> None:
    asked = "Measure V+ against ground at a servo board, with the servos' supply on: how many volts? Enter: no meter."
    volts = await visit.volts(Request(asked, about="supply volts"))
    entry.seen = f"{volts:.2f} V; the profile says {visit.box.supply.volts} V"
    is_right = _SUPPLY_V[0] <= volts <= _SUPPLY_V[1]
    expect(is_right, f"V+: expected 4.8 to 6.0 V, seen {volts} V. Switch it off, and set it right.")


# The sensors, by hand.


@pytest.fixture
def by_hand(visit: Visit, chips: None) -> None:
    if visit.box.motion.rest_us is None:
        pytest.skip("rigid rods: no hand moves a tile of this box")


@pytest.mark.usefixtures("by_hand")
@row("Each sensor, by hand", "all tiles", "all stand, and their sensors say so")
async def test_all_tiles_stand(visit: Visit, table: Table, entry: Entry) -> None:
    await visit.ask(Request("Set all tiles up by hand, with the servos' supply off or on. Enter when they stand."))
    seen = await table.firmware.bank.look()
    others = [f"{tile} {at}" for tile, at in seen.items() if at is not Position.OPEN]
    sentence = f"tiles: expected all OPEN, seen {', '.join(others)}. Look whether they stand; if so, see their sensors."
    expect(not others, sentence)


@pytest.mark.usefixtures("by_hand")
@row("Each sensor, by hand", "sensors of", "both ends, and no other tile's", each="tile")
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
    """Return whether the sensors of a tile say that it is at this end, as far as it has them."""
    wiring = visit.box.tiles[tile]
    wanted = {
        SensorLine(tile, each)
        for each, wire in ((Position.SHUT, wiring.shut), (Position.OPEN, wiring.open))
        if wire is not None and each is end
    }
    return {line for line in lines if line.tile == tile} == wanted


async def _wait_for(table: Table, is_so: Callable[[Lines], bool]) -> Lines:
    """Look at all sensors until it is so, for two seconds at most."""
    until_s = asyncio.get_running_loop().time() + _COMES_S
    watch = Watch(table.firmware.sensors)
    while not is_so(seen := await watch.look()) and asyncio.get_running_loop().time() < until_s:
        await asyncio.sleep(_LOOK_S)
    return seen


# The servos, by eye.


@pytest.mark.usefixtures("chips")
@row("Each servo, by eye", "servo of", "its arm turns a little and back, and no other's", each="tile")
async def test_the_servo_turns(visit: Visit, table: Table, entry: Entry, tile: TileId) -> None:
    visit.skip_without_chips(tile)
    firmware, box = table.firmware, table.firmware.box
    rest_us = box.rest_us(tile)
    if rest_us is None and tile.row > 1:
        pytest.skip("rigid rods: the tile in front is in the way")
    await visit.warn_once(Request("Hands off: the servos move now, one after the other. Is their supply on?"))
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
        answer = await visit.ask(Request(asked, about="horn"))
    finally:
        await stroker.stroke(tile, Stroke(from_us))
    entry.seen = f"the person saw {answer or tile}" if answer != "n" else "the person saw none"
    if answer == "n":
        fail(TileJammed(str(tile), expected=f"its servo ({box.tiles[tile].servo}) turns", seen="none turns"))
    if answer not in ("", str(tile)):
        fail(WiresSwapped(str(tile), expected=f"the servo of {tile} turns", seen=f"that of {answer}"))


# All tiles, by the self-test.


async def _examined(visit: Visit, table: Table, told: dict[str, SelftestReport] = {}) -> SelftestReport:  # noqa: B006
    """Return the report of the self-test, which runs once."""
    if not told:
        await visit.ask(Request("Now all tiles go down and up, one after the other. Hands off, lid open; Enter starts."))
        report = await examine(table, lambda _line, _done: None)
        if any(fault.code == PulsesCut.code for fault in report.findings):
            # The computer was busy with something else: as its cure says, the box tries again.
            report = await examine(table, lambda _line, _done: None)
        told[""] = report
    return told[""]


@pytest.mark.usefixtures("chips")
@row("All tiles down and up", "way of", "down and up in time", each="tile")
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


# The panel.


async def _events(table: Table, asking: Callable[[], Awaitable[str]]) -> list[PanelEvent]:
    """Return what the panel tells while a person is asked, and for a moment afterwards."""
    told: list[PanelEvent] = []

    async def listen() -> None:
        while True:
            told.append(await table.firmware.panel.next_event())

    listening = asyncio.create_task(listen())
    try:
        await asking()
        await asyncio.sleep(_COMES_S / 2)
    finally:
        listening.cancel()
    return told


@row("The panel", "button", "a short press is told", wire="button")
async def test_the_button(visit: Visit, table: Table, entry: Entry) -> None:
    if visit.box.panel.button is None:
        pytest.skip("this build has none")
    asked = Request("Press the button of the box shortly, then Enter; s: there is none yet.", ("press 0.2",))
    told = await _events(table, lambda: visit.ask(asked))
    entry.seen = ", ".join(map(str, told)) or "nothing"
    is_told = ButtonPressed(long=False) in told
    expect(is_told, f"button: expected a short press at {entry.wire}, seen {entry.seen}. Check its wire.")


@row("The panel", "lid", "closing and opening are told", wire="lid")
async def test_the_lid(visit: Visit, table: Table, entry: Entry) -> None:
    if visit.box.panel.lid is None:
        pytest.skip("this build has none")
    closing = Request("Close the lid, or hold its magnet to its switch, then Enter; s: there is none.", ("lid closed",))
    told = await _events(table, lambda: visit.ask(closing))
    told += await _events(table, lambda: visit.ask(Request("Open it again, then Enter.", ("lid open",))))
    entry.seen = ", ".join(type(event).__name__ for event in told) or "nothing"
    sentence = f"lid: expected both at {entry.wire}, seen {entry.seen}. Check its switch, magnet and wire."
    expect(told == [LidClosed(), LidOpened()], sentence)


@row("The panel", "lamp", "it shines, as a person sees", wire="led")
async def test_the_lamp(visit: Visit, table: Table, entry: Entry) -> None:
    if visit.box.panel.led is None:
        pytest.skip("this build has none")
    table.firmware.panel.show(Light.STEADY)
    answer = await visit.ask(Request("Does the lamp shine? Enter: yes; n: no; s: there is none yet.", about="lamp"))
    table.firmware.panel.show(Light.OFF)
    entry.seen = "it shines" if not answer else "it is dark"
    expect(not answer, f"lamp: expected light at {entry.wire}, seen a dark one. Check its wire and resistor.")


@pytest.mark.usefixtures("chips")
@row("The bus and its chips, afterwards", "errors", "the bus was never stuck, and no servo board lost its registers")
async def test_the_bus_had_no_errors(visit: Visit, table: Table, entry: Entry) -> None:
    wires = {wiring.servo.board: wiring.servo for wiring in visit.box.tiles.values()}
    lost = sum(table.firmware.servos.count_set_ups(wire) for wire in wires.values())
    entry.seen = f"stuck: {table.firmware.bus.cleared}, registers lost: {lost}"
    cure = "Check the wires and pull-ups of the bus, and the boards' supply."
    expect(not table.firmware.bus.cleared and not lost, f"i2c: expected no errors, seen {entry.seen}. {cure}")
