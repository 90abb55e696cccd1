"""On the box itself: the computer, the bus and its chips, the panel."""

import asyncio
import platform
import sys
from collections.abc import Awaitable, Callable

import pytest

from controller.box.checks import leaves_pulses_on
from controller.box.table import Table
from controller.runtime.machine import model_name
from firmware.calibration.bringup.chips import find_chips, kinds_of
from firmware.drivers.bus import chip_name
from firmware.errors import OutputStuck
from firmware.input_line import edges_missing
from firmware.panel import ButtonPressed, LidClosed, LidOpened, Light, PanelEvent
from tests.on_box.form import Entry, row
from tests.on_box.people import Request
from tests.on_box.visit import Visit, expect, fail

_COMES_S = 1.0  # a finger may come a little later than Enter
_OFF_V = 2.5  # at least, on /OE: hardware/README.md, "Measured before any servo is connected"
_SUPPLY_V = (4.8, 6.0)


# The computer.


@row("The computer", "opening", "bus, header and camera are given to this program", is_bare=True)
async def test_the_box_opens(visit: Visit, entry: Entry) -> None:
    await visit.begin()
    table = await visit.open_box()
    visit.form.head["box"] += f"; {', '.join(fault.code for fault in table.checks) or 'calibrated'}"
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
@row("The bus and its chips", "supply of the servos", "4.8 to 6.0 V, by a meter")
async def test_the_supply_of_the_servos(visit: Visit, entry: Entry) -> None:
    asked = "Measure the servos' supply at its terminals, switched on: how many volts? Enter: no meter."
    volts = await visit.volts(Request(asked, about="supply volts"))
    entry.seen = f"{volts:.2f} V; the profile says {visit.box.supply.volts} V"
    is_right = _SUPPLY_V[0] <= volts <= _SUPPLY_V[1]
    expect(is_right, f"supply: expected 4.8 to 6.0 V, seen {volts} V. Switch it off, and set it right.")


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
        await asyncio.sleep(_COMES_S)
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
