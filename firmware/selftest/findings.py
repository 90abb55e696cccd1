"""Findings of a self-test: the report, who is blamed (each part once), and which tiles are left out because of it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from firmware.box_io import Firmware
from firmware.drivers import BUS, chip_name
from firmware.errors import BusFault, TileSlow
from hardware.errors import Fault
from hardware.tiles import TileId
from hardware.wires import ExpanderPin


@dataclass(frozen=True, slots=True)
class TileTimes:
    """Travel times of one tile down and up, in seconds, and its tries beyond the first; None: not measured."""

    tile: TileId
    down_s: float | None = None
    up_s: float | None = None
    retries: int = 0


@dataclass(frozen=True, slots=True)
class SelftestReport:
    """The result of a self-test.

    `findings` are the faults, `untested` the names of the tiles that could not be tested because of them, `tiles` the
    travel times, `displaced` the names of the tiles that are seen elsewhere than before the test.
    """

    findings: tuple[Fault, ...]
    untested: tuple[str, ...]
    tiles: tuple[TileTimes, ...] = ()
    displaced: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Nothing found and nothing left out."""
        return not self.findings and not self.untested


class Findings:
    """The book of one self-test: every part is blamed once, and what a fault blocks is untested, not blamed.

    One broken wire would otherwise give a page of faults, with the one to mend somewhere among them.

    Lifetime: one test. Concurrency: one task.
    """

    def __init__(self, firmware: Firmware) -> None:
        self._firmware = firmware
        self._box = firmware.box
        self._faults: dict[str, Fault] = {}
        self._untested: set[TileId] = set()
        self._without_chip: set[TileId] = set()
        self.times: dict[TileId, TileTimes] = {}
        self.displaced: tuple[str, ...] = ()

    def report(self) -> SelftestReport:
        """The report, as far as the test has come."""
        untested = tuple(str(tile) for tile in self._box.tile_ids if tile in self._untested)
        return SelftestReport(tuple(self._faults.values()), untested, tuple(self.times.values()), self.displaced)

    def add(self, fault: Fault) -> None:
        """Blame a part, unless it is blamed already."""
        self._faults.setdefault(fault.part, fault)
        self._untested = {tile for tile in self._untested if str(tile) != fault.part}

    def blame_instead(self, fault: Fault, tiles: Iterable[TileId]) -> None:
        """Blame one part instead of all these tiles, which its fault keeps from being tested."""
        for tile in tiles:
            self._faults.pop(str(tile), None)
        self.leave_out(tiles)
        self.add(fault)

    def is_blamed(self, part: str) -> bool:
        """True if this part is blamed."""
        return part in self._faults

    def code_of(self, tile: TileId) -> str | None:
        """The code under which a tile is blamed; None for one that is not."""
        fault = self._faults.get(str(tile))
        return fault.code if fault else None

    def leave_out(self, tiles: Iterable[TileId]) -> None:
        """These tiles cannot be tested; those that are blamed stay so."""
        self._untested |= {tile for tile in tiles if str(tile) not in self._faults}

    def is_out(self, tile: TileId) -> bool:
        """True if a tile is not to be moved any more; one that is only slow is."""
        return tile in self._untested or self.code_of(tile) not in (None, TileSlow.code)

    def is_cut_off(self, tile: TileId) -> bool:
        """True if a chip that the tile hangs on has failed."""
        return tile in self._without_chip

    @contextmanager
    def record_chip_faults(self) -> Iterator[None]:
        """Name a chip that fails once, do without it, and leave out the tiles on it; a hung bus leaves out all."""
        try:
            yield
        except BusFault as fault:
            self._chip_failed(fault.fault)

    def _chip_failed(self, fault: Fault) -> None:
        self.add(fault)
        for address in self._box.servo_boards:
            if chip_name(address) == fault.part:
                self._firmware.servos.set_aside(address)
        for address in self._box.expanders:
            if chip_name(address) == fault.part:
                self._firmware.sensors.set_aside(address)
        self._without_chip |= {tile for tile in self._box.tile_ids if self._hangs_on(tile, fault.part)}
        self.leave_out(self._without_chip)

    def _hangs_on(self, tile: TileId, part: str) -> bool:
        wiring = self._box.tiles[tile]
        chips = {chip_name(wiring.servo.board)}
        chips |= {chip_name(w.expander) for w in (wiring.shut, wiring.open) if isinstance(w, ExpanderPin)}
        return part in chips or part == BUS
