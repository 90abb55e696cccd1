"""Findings of a self-test: the report, the faulty parts (each once), and the tiles left out because of them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from firmware.box_io import Firmware
from firmware.drivers.bus import BUS, chip_name
from firmware.errors import BusFault, ServoHolds, TileSlow
from hardware.errors import Fault
from hardware.tiles import TileId
from hardware.wires import ExpanderPin


@dataclass(frozen=True, slots=True)
class TileTimes:
    """Travel times of one tile down and up, in seconds (None: not measured), and its tries beyond the first."""

    tile: TileId
    down_s: float | None = None
    up_s: float | None = None
    retries: int = 0


@dataclass(frozen=True, slots=True)
class SelftestReport:
    """The result of a self-test.

    findings: the faults.
    untested: the names of the tiles that could not be tested because of them.
    tiles: the travel times.
    displaced: the names of the tiles that are not where they were before the test.
    """

    findings: tuple[Fault, ...]
    untested: tuple[str, ...]
    tiles: tuple[TileTimes, ...] = ()
    displaced: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.findings and not self.untested


class Findings:
    """The record of one self-test: every part is blamed once, and tiles that a fault blocks are untested, not blamed.

    Otherwise one broken wire would give a page of faults, with the one to repair somewhere among them.
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
        untested = tuple(str(tile) for tile in self._box.tile_ids if tile in self._untested)
        return SelftestReport(tuple(self._faults.values()), untested, tuple(self.times.values()), self.displaced)

    def add(self, fault: Fault) -> None:
        self._faults.setdefault(fault.part, fault)
        self._untested = {tile for tile in self._untested if str(tile) != fault.part}

    def blame_instead(self, fault: Fault, tiles: Iterable[TileId]) -> None:
        """Blame one part instead of all these tiles, which its fault keeps from being tested."""
        for tile in tiles:
            self._faults.pop(str(tile), None)
        self.leave_out(tiles)
        self.add(fault)

    def is_blamed(self, part: str) -> bool:
        return part in self._faults

    def code_of(self, tile: TileId) -> str | None:
        fault = self._faults.get(str(tile))
        return fault.code if fault else None

    def leave_out(self, tiles: Iterable[TileId]) -> None:
        """Note that these tiles cannot be tested; blamed ones stay blamed."""
        self._untested |= {tile for tile in tiles if str(tile) not in self._faults}

    def is_out(self, tile: TileId) -> bool:
        """Return True if a tile must not be moved any more; one whose servo is slow or holds on still may."""
        return tile in self._untested or self.code_of(tile) not in (None, TileSlow.code, ServoHolds.code)

    def is_cut_off(self, tile: TileId) -> bool:
        return tile in self._without_chip

    @contextmanager
    def record_chip_faults(self) -> Iterator[None]:
        """Blame a failing chip once, ignore it, and leave out its tiles; a hung bus leaves out all tiles."""
        try:
            yield
        except BusFault as fault:
            part = fault.fault.part
            self.add(fault.fault)
            for address in self._box.servo_boards:
                if chip_name(address) == part:
                    self._firmware.servos.set_aside(address)
            for address in self._box.expanders:
                if chip_name(address) == part:
                    self._firmware.sensors.set_aside(address)
            if self._box.supply.current_sensor is not None and chip_name(self._box.supply.current_sensor) == part:
                self._firmware.servos.supply.set_aside()
            for tile, wiring in self._box.tiles.items():
                chips = {chip_name(wiring.servo.board)}
                chips |= {chip_name(w.expander) for w in (wiring.shut, wiring.open) if isinstance(w, ExpanderPin)}
                if part in chips or part == BUS:
                    self._without_chip.add(tile)
            self.leave_out(self._without_chip)
