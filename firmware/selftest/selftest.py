"""The self-test: supply, every chip, /OE, every tile both ways, every sensor. It continues after a finding.

A part that a fault keeps from being tested is `untested`, not blamed; a chip's fault names the chip. A mere look at the
parts moves no tile.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from firmware.box_io import Firmware
from firmware.drivers.bus import BUS, chip_name
from firmware.errors import BusFault, BusHung, InterruptLost, LidDown
from firmware.input_line import edges_missing
from firmware.selftest.findings import Findings, SelftestReport
from firmware.selftest.tiles import TileTest
from hardware.phrase import phrase
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, ServoChannel

# A chip on a loose wire is found within this time, before a tile is moved on its report: one that loses its registers
# ten times a second has lost them at every look, and the third loss is a fault (`drivers/bus.py`).
_SOAK_LOOKS, _SOAK_S = 4, 0.15
_INTERRUPT = "INT"
_CLEARED = "Play on; check the wires and pull-ups of the bus if this comes again."
_BEFORE_TILES = 0.1  # fraction of the test before the first tile moves

ReportStep = Callable[[str, float], None]
"""Receives one line for every step, and the completed fraction of the whole test, 0 to 1."""


async def examine_firmware(firmware: Firmware, progress: ReportStep) -> SelftestReport:
    """Test the whole box, and return every tile that can move to where it began.

    Takes about a second of box time per tile. Raises nothing for a broken box; the report has its faults.
    """
    findings = Findings(firmware)
    box, tiles = firmware.box, TileTest(firmware, findings)
    try:
        await _computer(firmware, findings)
        if not firmware.has_edges:
            findings.add(edges_missing().fault)
        progress(phrase("the computer's supply and temperature were looked at"), 0.0)
        await _chips(firmware, findings, progress)
        if not _lid_is_down(tiles, findings):
            await tiles.raise_all()
            progress(phrase("every tile that lay was raised"), _BEFORE_TILES)
        for column in range(1, box.columns + 1):
            if _lid_is_down(tiles, findings):
                break
            tested = await tiles.test_column(column)
            done = _BEFORE_TILES + (1 - _BEFORE_TILES) * column / box.columns
            names = ", ".join(map(str, tested)) or phrase("no tile")
            progress(phrase("column {column}: {tiles} went down and up", column=column, tiles=names), done)
        await tiles.restore()
        _lid_is_down(tiles, findings)
        # A weak supply fails under the load of moving servos.
        await _computer(firmware, findings)
    finally:
        firmware.servos.take_back()
        firmware.servos.supply.take_back()
        firmware.sensors.take_back()
    _bus(firmware, findings)
    if silent := await firmware.bank.release():
        findings.add(silent.fault)
    return findings.report()


def _bus(firmware: Firmware, findings: Findings) -> None:
    if times := firmware.bus.cleared:
        seen = f"a chip that held it until it got nine clocks, times: {times}"
        findings.add(BusHung(BUS, expected="a bus that is free after every transfer", seen=seen, cure=_CLEARED).fault)


async def _computer(firmware: Firmware, findings: Findings) -> None:
    for fault in await firmware.computer.faults_since_start():
        findings.add(fault)


async def _chips(firmware: Firmware, findings: Findings, progress: ReportStep) -> None:
    """Check that each chip answers, accepts its set-up, keeps it for a while, and can interrupt."""
    box, servos, sensors = firmware.box, firmware.servos, firmware.sensors
    asked = _askable(firmware)
    for number, (address, answer) in enumerate(asked, 1):
        with findings.record_chip_faults():
            await answer(address)
            progress(phrase("chip {chip} answers", chip=chip_name(address)), _BEFORE_TILES * number / len(asked))
    for _ in range(_SOAK_LOOKS):
        if not all(findings.is_out(tile) for tile in box.tile_ids):
            with findings.record_chip_faults():
                await servos.arm()
            for address in box.servo_boards:
                if not findings.is_blamed(chip_name(address)):
                    with findings.record_chip_faults():
                        await servos.ensure_set_up(ServoChannel(address, 0))
            with findings.record_chip_faults():
                await sensors.look(box.tile_ids)
        await asyncio.sleep(_SOAK_S)
    # With /OE on, so that the servos have their supply, and no pulses.
    with findings.record_chip_faults():
        await servos.supply.check_rest()
    # Each expander pulls the shared line, and releases it; one at fault may hold it.
    if not sensors.has_interrupt or any(findings.is_blamed(part) for part in (BUS, *map(chip_name, box.expanders))):
        return
    for address in box.expanders:
        with findings.record_chip_faults():
            called, calm = await sensors.check_interrupt(address)
            if not called or calm:
                expected = "high while no expander calls" if calm else f"low while {chip_name(address)} calls"
                findings.add(InterruptLost(_INTERRUPT, expected=expected, seen="low" if calm else "high").fault)


def _askable(firmware: Firmware) -> Sequence[tuple[int, Callable[[int], Awaitable[None]]]]:
    """Return every chip's address, with what asks it for an answer."""
    box, servos = firmware.box, firmware.servos
    asked: list[tuple[int, Callable[[int], Awaitable[None]]]] = [(address, servos.ping) for address in box.servo_boards]
    asked += [(address, firmware.sensors.ping) for address in box.expanders]
    if box.supply.current_sensor is not None:
        asked.append((box.supply.current_sensor, servos.supply.ping))
    return asked


def _lid_is_down(tiles: TileTest, findings: Findings) -> bool:
    """Return True if the lid is down: no tile can stand, and those not yet moved both ways stay untested."""
    if not tiles.lid_came_down:
        return False
    findings.add(LidDown("lid", expected="an open lid", seen="its switch closed").fault)
    findings.leave_out(tiles.not_moved_both_ways())
    return True


# The words for a tile's position by its sensors.
_AT_REST = {Position.OPEN: "up", Position.SHUT: "down"}
_ASTRAY = {Position.BETWEEN: "half way", Position.UNKNOWN: "its sensors contradict each other"}


@dataclass(frozen=True, slots=True)
class PartState:
    """One part: its expected and observed state, in words, and whether that is right."""

    part: str
    expected: str
    seen: str
    is_right: bool


async def look_at_parts(firmware: Firmware, progress: ReportStep) -> tuple[PartState, ...]:
    """Look at all parts of an open box. No servo gets a pulse. Raises nothing for a broken box."""
    box, sensors, asked = firmware.box, firmware.sensors, _askable(firmware)
    parts: list[PartState] = []
    silent: set[int] = set()
    try:
        for number, (address, ping) in enumerate(asked, 1):
            name, seen, answers = chip_name(address), "an answer", True
            try:
                await ping(address)
            except BusFault as failure:
                seen, answers = failure.fault.seen, False
                if address in box.expanders:
                    silent.add(address)
                    sensors.set_aside(address)
            progress(f"chip {name}: {seen}", number / (len(asked) + 1))
            parts.append(PartState(name, "an answer", seen, is_right=answers))
        if sensors.has_interrupt:
            parts += [await _ask_interrupt(firmware, each) for each in box.expanders if each not in silent]
        parts += [await _look_at_tile(firmware, tile, silent) for tile in box.tile_ids]
        if box.panel.lid is not None:
            seen = "closed" if firmware.panel.lid_is_closed else "open"
            parts.append(PartState("lid", "open or closed", seen, is_right=True))
        for fault in await firmware.computer.faults_since_start():
            parts.append(PartState(fault.part, fault.expected, fault.seen, is_right=False))
        progress("every sensor was looked at", 1.0)
        return tuple(parts)
    finally:
        sensors.take_back()


async def _ask_interrupt(firmware: Firmware, address: int) -> PartState:
    part, expected = f"INT of {chip_name(address)}", "low, then high"
    try:
        called, stays = await firmware.sensors.check_interrupt(address)
    except BusFault as fault:
        return PartState(part, expected, fault.fault.seen, is_right=False)
    seen = "always low" if called and stays else expected if called else "never low"
    return PartState(part, expected, seen, is_right=called and not stays)


async def _look_at_tile(firmware: Firmware, tile: TileId, silent: set[int]) -> PartState:
    part, expected = f"{tile}", " or ".join(_AT_REST.values())
    wires = (firmware.box.tiles[tile].shut, firmware.box.tiles[tile].open)
    if deaf := sorted({wire.expander for wire in wires if isinstance(wire, ExpanderPin)} & silent):
        return PartState(part, expected, f"not asked: {chip_name(deaf[0])} is silent", is_right=False)
    try:
        at = (await firmware.sensors.look([tile]))[tile]
    except BusFault as fault:
        return PartState(part, expected, fault.fault.seen, is_right=False)
    return PartState(part, expected, {**_AT_REST, **_ASTRAY}[at], is_right=at in _AT_REST)
