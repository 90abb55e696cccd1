"""A look at every chip and sensor without moving a tile: the expected and the observed state of each part."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from firmware.box_io import Firmware
from firmware.drivers.bus import chip_name
from firmware.errors import BusFault
from firmware.selftest.selftest import ReportStep
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin

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
    try:
        return tuple([part async for part in _look(firmware, progress)])
    finally:
        firmware.sensors.take_back()


async def _look(firmware: Firmware, progress: ReportStep) -> AsyncIterator[PartState]:
    box, servos, sensors = firmware.box, firmware.servos, firmware.sensors
    chips = len(box.servo_boards) + len(box.expanders)
    silent: set[int] = set()
    asked: list[tuple[int, Callable[[int], Awaitable[None]]]] = [(each, servos.ping) for each in box.servo_boards]
    asked += [(each, sensors.ping) for each in box.expanders]
    for number, (address, ping) in enumerate(asked, 1):
        name, seen = chip_name(address), "an answer"
        try:
            await ping(address)
        except BusFault as failure:
            seen = failure.fault.seen
            if address in box.expanders:
                silent.add(address)
                sensors.set_aside(address)
            part = PartState(name, "an answer", seen, is_right=False)
        else:
            part = PartState(name, "an answer", seen, is_right=True)
        progress(f"chip {name}: {seen}", number / (chips + 1))
        yield part
    if sensors.has_interrupt:
        for address in box.expanders:
            if address not in silent:
                yield await _ask_interrupt(firmware, address)
    for tile in box.tile_ids:
        yield await _look_at_tile(firmware, tile, silent)
    if box.panel.lid is not None:
        yield PartState("lid", "open or closed", "closed" if firmware.panel.lid_is_closed else "open", is_right=True)
    for fault in await firmware.computer.faults_since_start():
        yield PartState(fault.part, fault.expected, fault.seen, is_right=False)
    progress("every sensor was looked at", 1.0)


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
