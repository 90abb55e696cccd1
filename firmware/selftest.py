"""The self-test: every chip, every tile both ways, every sensor; and it goes on after a finding.

What a fault keeps from being tested is `untested`, not blamed; a chip's fault names the chip.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import zip_longest

from firmware.bank import TileBank
from firmware.box_io import Firmware
from firmware.bus import BUS, name_of
from firmware.errors import BusFault, MotionFault
from firmware.messages import TileCommand
from firmware.sensors import Sensors
from firmware.servos import Servos
from hardware.box import Box
from hardware.errors import Fault
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, ServoChannel

# A chip on a loose wire shows itself within this time, before a tile is moved on its word.
_SOAK_LOOKS, _SOAK_S = 4, 0.15

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SelftestReport:
    """What is wrong, and the names of the parts that could not be tested because of it."""

    findings: tuple[Fault, ...]
    untested: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Nothing found and nothing left out."""
        return not self.findings and not self.untested


async def selftest(firmware: Firmware, progress: Progress) -> SelftestReport:
    """Test the whole box; every tile ends where it began, as far as it can move. One line of `progress` a step.

    Takes about half a second of box time a tile. Raises nothing for a broken box: that is what the report is for.
    """
    test = _Selftest(firmware.box, firmware.bank, firmware.servos, firmware.sensors, progress)
    try:
        await test.chips()
        for column in range(1, firmware.box.columns + 1):
            await test.column(column)
    finally:
        firmware.servos.take_back()
        firmware.sensors.take_back()
    await firmware.bank.release()
    return test.report()


class _Selftest:
    def __init__(self, box: Box, bank: TileBank, servos: Servos, sensors: Sensors, progress: Progress) -> None:
        self._box = box
        self._bank = bank
        self._servos = servos
        self._sensors = sensors
        self._progress = progress
        self._findings: dict[str, Fault] = {}
        self._untested: set[TileId] = set()
        self._without_chip: set[TileId] = set()

    def report(self) -> SelftestReport:
        untested = tuple(str(tile) for tile in self._box.tile_ids if tile in self._untested)
        return SelftestReport(tuple(self._findings.values()), untested)

    async def chips(self) -> None:
        """Each chip answers, takes its set-up, and keeps it for a while."""
        asked = [(address, self._servos.answer) for address in self._box.servo_boards]
        asked += [(address, self._sensors.answer) for address in self._box.expanders]
        for address, answer in asked:
            with self._noting_chips():
                await answer(address)
                self._progress(f"chip {name_of(address)} answers")
        for _ in range(_SOAK_LOOKS):
            await self._soak()
            await asyncio.sleep(_SOAK_S)

    async def column(self, column: int) -> None:
        """All tiles of a column up, down and up again, then as they were."""
        front_to_back = self._box.in_column(column)
        if all(self._is_out(tile) for tile in front_to_back):
            return
        began = await self._look(front_to_back)
        for tile in reversed(front_to_back):
            await self._test(tile, Position.OPEN)
        await self._test_down(front_to_back)
        for tile in reversed(front_to_back):
            await self._test(tile, Position.OPEN)
        await self._restore(front_to_back, began)
        tested = ", ".join(str(tile) for tile in front_to_back if not self._is_out(tile))
        self._progress(f"column {column}: {tested or 'no tile'} went down and up")

    async def _soak(self) -> None:
        if all(self._is_out(tile) for tile in self._box.tile_ids):
            return
        with self._noting_chips():
            await self._servos.arm()
        for address in self._box.servo_boards:
            if name_of(address) not in self._findings:
                with self._noting_chips():
                    await self._servos.kept(ServoChannel(address, 0))
        with self._noting_chips():
            await self._sensors.look(self._box.tile_ids)

    async def _look(self, tiles: Iterable[TileId]) -> Mapping[TileId, Position]:
        seen: Mapping[TileId, Position] = {}
        with self._noting_chips():
            seen = await self._bank.look()
        return {tile: seen[tile] for tile in tiles if tile in seen}

    async def _test_down(self, front_to_back: Sequence[TileId]) -> None:
        """Shut one after the other, but none that could not come up again past the tile behind it."""
        raised = await self._look(front_to_back)
        for tile, behind in zip_longest(front_to_back, front_to_back[1:]):
            if behind is None or raised.get(behind) is Position.OPEN:
                await self._test(tile, Position.SHUT)
            elif not self._is_out(tile):
                self._untested.add(tile)

    async def _test(self, tile: TileId, target: Position) -> None:
        if self._is_out(tile):
            return
        try:
            await self._bank.execute([TileCommand(tile, target)])
        except MotionFault as fault:
            if fault.fault.part == str(tile):
                self._findings[str(tile)] = fault.fault
            else:
                self._untested.add(tile)
        except BusFault as fault:
            self._chip_failed(fault.fault)

    async def _restore(self, front_to_back: Sequence[TileId], began: Mapping[TileId, Position]) -> None:
        """Bring back what moved, a faulty tile too if it can; what cannot is a finding already."""
        standing = [tile for tile in reversed(front_to_back) if began.get(tile) is Position.OPEN]
        lying = [tile for tile in front_to_back if began.get(tile) is Position.SHUT]
        for tile in standing + lying:
            if tile not in self._without_chip:
                with suppress(MotionFault), self._noting_chips():
                    await self._bank.execute([TileCommand(tile, began[tile])])

    @contextmanager
    def _noting_chips(self) -> Iterator[None]:
        try:
            yield
        except BusFault as fault:
            self._chip_failed(fault.fault)

    def _chip_failed(self, fault: Fault) -> None:
        """Name the chip once, do without it, and leave out the tiles on it; a hung bus leaves out all."""
        self._findings.setdefault(fault.part, fault)
        for address in self._box.servo_boards:
            if name_of(address) == fault.part:
                self._servos.set_aside(address)
        for address in self._box.expanders:
            if name_of(address) == fault.part:
                self._sensors.set_aside(address)
        self._without_chip |= {tile for tile in self._box.tile_ids if self._hangs_on(tile, fault.part)}
        self._untested |= self._without_chip

    def _hangs_on(self, tile: TileId, part: str) -> bool:
        wiring = self._box.tiles[tile]
        chips = {name_of(wiring.servo.board)}
        chips |= {name_of(w.expander) for w in (wiring.shut, wiring.open) if isinstance(w, ExpanderPin)}
        return part in chips or part == BUS

    def _is_out(self, tile: TileId) -> bool:
        return tile in self._untested or str(tile) in self._findings
