"""The lines of sensors and panel: what pulls, holds or drives each of them, and its level (True: high, by pull-up)."""

import random
from collections.abc import Callable, Iterable, Mapping

from hardware.box import Box
from hardware.sim.contacts import Contact
from hardware.sim.mechanism import Mechanism
from hardware.tiles import TileId
from hardware.wires import ExpanderPin, GpioPin

# How long a chattering sensor holds a level: too short to pass a debounce of 20 ms.
_DWELL_S = (0.005, 0.009)


class SensorLine:
    """The line of one sensor and its faults. `held` has the forced level by fault name; the last one counts."""

    def __init__(self, contact: Contact, rng: random.Random) -> None:
        self._contact = contact
        self._rng = rng
        self._flips_s = 0.0
        self._dropped = False
        self.chatters = False
        self.held: dict[str, bool] = {}

    @property
    def settled_level(self) -> bool:
        """The level after all bouncing."""
        return self._held_level if self.held else not self._contact.closed

    @property
    def _held_level(self) -> bool:
        return next(reversed(self.held.values()))

    def level(self, now_s: float) -> bool:
        """Return the level now: low while the contact is closed."""
        if self.held:
            return self._held_level
        closed = self._contact.shows_closed(now_s)
        if closed and self.chatters:
            if self._flips_s + 1.0 < now_s:
                self._flips_s = now_s
            while self._flips_s <= now_s:
                self._flips_s += self._rng.uniform(*_DWELL_S)
                self._dropped = not self._dropped
            return self._dropped
        return not closed


class Lines:
    """All lines of one box by their wires; a wire that nothing pulls down reads high."""

    def __init__(self, box: Box, mechanism: Mechanism) -> None:
        self.shut = _lines_of(mechanism, "chatter", mechanism.halls)
        self.open = _lines_of(mechanism, "open line", mechanism.switches)
        self._sources: dict[GpioPin | ExpanderPin, Callable[[float], bool]] = {}
        self._held: dict[GpioPin, bool] = {}
        self._driven: dict[GpioPin, bool] = {}
        self._pulled: dict[GpioPin, set[int]] = {}
        self._panel = box.panel
        self._wiring = box.tiles
        self._released_s = 0.0
        self._watchers: dict[GpioPin, Callable[[bool], None]] = {}
        self._expanders: dict[int, Callable[[], None]] = {}
        self.lid_closed = False
        for tile, wiring in box.tiles.items():
            self._sources[wiring.shut] = self.shut[tile].level
            if wiring.open is not None:
                self._sources[wiring.open] = self.open[tile].level
        if box.panel.lid is not None:
            self._sources[box.panel.lid] = lambda _now_s: not self.lid_closed
        if box.panel.button is not None:
            self._sources[box.panel.button] = lambda now_s: now_s >= self._released_s

    def level(self, wire: GpioPin | ExpanderPin, now_s: float) -> bool:
        source = self._sources.get(wire)
        if source is not None:
            return source(now_s)
        if not isinstance(wire, GpioPin):
            return True
        pulled = False if self._pulled.get(wire) else self._driven.get(wire, True)
        return self._held.get(wire, pulled)

    def plug(self, swapped: Iterable[tuple[TileId, TileId]]) -> None:
        """Plug in all shut sensors correctly, except for these swapped pairs."""
        wires = {tile: wiring.shut for tile, wiring in self._wiring.items()}
        for one, other in swapped:
            wires[one], wires[other] = wires[other], wires[one]
        self._sources |= {wire: self.shut[tile].level for tile, wire in wires.items()}

    def hold(self, wire: GpioPin, high: bool | None) -> None:
        """Short an output line to this level, whatever drives it, or (None) free it again."""
        if high is None:
            self._held.pop(wire, None)
        else:
            self._held[wire] = high

    def drive(self, wire: GpioPin, high: bool | None) -> None:
        """Drive `wire` from an output of the computer, or (None) let it float to its pull-up."""
        if high is None:
            self._driven.pop(wire, None)
        else:
            self._driven[wire] = high

    def pull(self, wire: GpioPin, chip: int, low: bool) -> None:
        """Pull a shared line low with the open-drain output of the chip at this address, or release it."""
        pulling = self._pulled.setdefault(wire, set())
        if low:
            pulling.add(chip)
        else:
            pulling.discard(chip)

    def press(self, until_s: float) -> None:
        self._released_s = until_s
        self.tell(self._panel.button, until_s - 1e-9)

    def tell_release(self, before_s: float, now_s: float) -> None:
        if before_s < self._released_s <= now_s:
            self.tell(self._panel.button, now_s)

    def watch(self, wire: GpioPin, changed: Callable[[bool], None] | None) -> None:
        """Call `changed(level)` when a line of the panel or of a sensor changes; None stops it."""
        if changed is None:
            self._watchers.pop(wire, None)
        else:
            self._watchers[wire] = changed

    def watch_inputs(self, expander: int, changed: Callable[[], None]) -> None:
        """Call `changed()` when a sensor on the expander at this address changes."""
        self._expanders[expander] = changed

    def tell_sensors(self, tile: TileId) -> None:
        lines = {line.level: line for line in (self.shut[tile], self.open[tile])}
        wires = {wire: lines[source] for wire, source in self._sources.items() if source in lines}
        for wire, line in wires.items():
            if isinstance(wire, GpioPin) and wire in self._watchers:
                self._watchers[wire](line.settled_level)
        for expander in {wire.expander for wire in wires if isinstance(wire, ExpanderPin)}:
            if expander in self._expanders:
                self._expanders[expander]()

    def tell(self, wire: GpioPin | None, now_s: float) -> None:
        if wire is not None and wire in self._watchers:
            self._watchers[wire](self.level(wire, now_s))


def _lines_of(mechanism: Mechanism, part: str, contacts: Mapping[TileId, Contact]) -> Mapping[TileId, SensorLine]:
    return {tile: SensorLine(contact, mechanism.rng(part, tile)) for tile, contact in contacts.items()}
