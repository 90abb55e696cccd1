"""Self-test of the tiles: each goes down and up, and a fault is blamed on the tile, on swapped plugs, or on /OE."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from firmware.box_io import Firmware
from firmware.errors import (
    MotionFault,
    OutputStuck,
    SensorChatters,
    SensorDoubtful,
    ServoHolds,
    TileJammed,
    TileSlow,
    WiresSwapped,
)
from firmware.messages import SensorReport, TileCommand
from firmware.selftest.findings import Findings, TileTimes
from firmware.selftest.probe import Probe, opposite
from hardware.tiles import Position, TileId

# The 90 degrees of a slow servo (0.18 s + 15 %; lifting the tile 0.27 s + 15 %), a frame, the debounce, and something
# for wood that rubs.
_SLOW_S = {Position.SHUT: 0.33, Position.OPEN: 0.45}
_NONE_MOVES = 3  # so many tiles that do not move, and none that does: rather one common cause than three faults
_OUTPUT_ENABLE = "/OE"


class TileTest:
    """Moves the tiles of one box, a column at a time, and notes what it finds.

    First `raise_all`, or tiles that lie already would hide which plug moves them; then `test_column`, one column after
    the other; `restore` at the end. Once the lid is down nothing is driven any more, but for a move
    that is under way, and nobody is blamed.

    Lifetime: one self-test. Concurrency: one task.
    """

    def __init__(self, firmware: Firmware, findings: Findings) -> None:
        self._box = firmware.box
        self._bank = firmware.bank
        self._panel = firmware.panel
        self._sensors = firmware.sensors
        self._probe = Probe(firmware, findings)
        self._findings = findings
        self._began: Mapping[TileId, Position] = {}
        self._not_raised: dict[TileId, MotionFault] = {}
        self._swapped: set[TileId] = set()
        self._moved = False
        self._jammed: list[TileId] = []
        self._cut_is_tested = False
        self._lid_came_down = False

    @property
    def lid_came_down(self) -> bool:
        """True from the moment on in which the lid was seen closed."""
        self._lid_came_down |= self._panel.lid_is_closed
        return self._lid_came_down

    def not_moved_both_ways(self) -> Iterator[TileId]:
        """The tiles of which it is not known yet that they go down and come up."""
        for tile in self._box.tile_ids:
            times = self._findings.times.get(tile)
            if times is None or times.down_s is None or times.up_s is None:
                yield tile

    async def raise_all(self) -> None:
        """Bring every tile up that can come up; who does not is not blamed before it is tested."""
        self._began = await self._probe.look()
        for tile in reversed(self._box.tile_ids):
            none_moves = not self._moved and len(self._not_raised) >= _NONE_MOVES
            if not none_moves and not self._is_left_alone(tile):
                await self._raise(tile)

    async def _raise(self, tile: TileId) -> None:
        with self._findings.record_chip_faults():
            try:
                (report,) = await self._bank.execute([TileCommand(tile, Position.OPEN)])
            except MotionFault as fault:
                self._not_raised[tile] = fault
            else:
                self._moved |= report.took_s is not None
                await self._finish(report)

    async def _finish(self, report: SensorReport) -> None:
        """Send a tile after itself: where nobody sees it stand, one that is slow is still on its way up."""
        if report.assumed and report.took_s is not None:
            await self._probe.send(report.tile, report.position)

    async def test_column(self, column: int) -> tuple[TileId, ...]:
        """All tiles of a column up, down and up again; the tiles that did so."""
        front_to_back = self._box.in_column(column)
        if all(self._findings.is_out(tile) for tile in front_to_back):
            return ()
        for tile in reversed(front_to_back):
            await self._test(tile, Position.OPEN)
        await self._test_down(front_to_back)
        for tile in reversed(front_to_back):
            await self._test(tile, Position.OPEN)
        for tile in front_to_back:
            await self._test_hold(tile)
        return tuple(tile for tile in front_to_back if not self._findings.is_out(tile))

    async def _test_down(self, front_to_back: Sequence[TileId]) -> None:
        """Shut one after the other: none that could not come up again past the tile behind it, and none behind a tile
        that is at fault, whose sensors may only say that it lies.
        """
        raised = await self._probe.look(front_to_back)
        for ahead, tile, behind in zip((None, *front_to_back), front_to_back, (*front_to_back[1:], None), strict=False):
            free = ahead is None or not self._findings.is_out(ahead)
            if free and (behind is None or raised.get(behind) is Position.OPEN):
                await self._test_cut(tile)
                await self._test(tile, Position.SHUT)
            elif not self._findings.is_out(tile):
                self._findings.leave_out([tile])

    def _is_left_alone(self, tile: TileId) -> bool:
        return self.lid_came_down or self._findings.is_out(tile)

    async def _test(self, tile: TileId, target: Position) -> None:
        if self._is_left_alone(tile):
            return
        before = await self._probe.look()
        reports: Sequence[SensorReport] = ()
        with self._findings.record_chip_faults():
            try:
                reports = await self._bank.execute([TileCommand(tile, target)])
            except MotionFault as fault:
                if not self.lid_came_down:
                    await self._blame(tile, target, fault, before)
                return
        for report in reports:
            self._note(tile, target, report.took_s, report.tries)
            await self._finish(report)
        if not reports:
            # Another tile's board may be what keeps this one from being driven.
            self._findings.leave_out([tile])

    def _note(self, tile: TileId, target: Position, took_s: float | None, tries: int) -> None:
        """A tile arrived: how long it took, and whether that is too long."""
        if took_s is None:
            return
        self._moved = True
        times = self._findings.times.get(tile, TileTimes(tile))
        retries = times.retries + tries - 1
        if target is Position.SHUT:
            self._findings.times[tile] = replace(times, down_s=took_s, retries=retries)
        else:
            self._findings.times[tile] = replace(times, up_s=took_s, retries=retries)
        if took_s > _SLOW_S[target]:
            seen = f"{target} after {took_s:.2f} s"
            self._findings.add(TileSlow(str(tile), expected=f"{target} within {_SLOW_S[target]} s", seen=seen).fault)

    async def _blame(
        self, tile: TileId, target: Position, fault: MotionFault, before: Mapping[TileId, Position]
    ) -> None:
        """Say what kept a tile from arriving: another tile in its way, a swapped plug, or it is the tile's own."""
        if fault.fault.part != str(tile):
            self._findings.leave_out([tile])
            return
        other = await self._probe.find_other_mover(tile, before)
        if other is not None:
            self._blame_plugs(tile, target, other)
            await self._probe.send(tile, opposite(target))
            return
        other = await self._probe.find_mover_backwards(tile, target)
        if self.lid_came_down:
            return
        if other is not None:
            self._blame_plugs(tile, opposite(target), other)
            return
        self._findings.add(self._not_raised.get(tile, fault).fault)
        await self._ask_for_common_cause(tile, fault)

    def _blame_plugs(self, tile: TileId, target: Position, other: TileId) -> None:
        """Two plugs are swapped: the first tile of the two is named, the other cannot be tested."""
        first, second = sorted((tile, other), key=self._box.tile_ids.index)
        seen = f"{other} answers instead"
        self._findings.add(WiresSwapped(str(first), expected=f"{tile} moves to {target}", seen=seen).fault)
        self._findings.leave_out([second])
        self._swapped |= {first, second}

    async def _ask_for_common_cause(self, tile: TileId, fault: MotionFault) -> None:
        """When several tiles do not move and none has so far: does any?"""
        if self._moved or not isinstance(fault, TileJammed):
            return
        self._jammed.append(tile)
        if len(self._jammed) != _NONE_MOVES:
            return
        for other in (tile for tile in self._box.tile_ids if not self._findings.is_out(tile)):
            if await self._probe.can_leave(other) and await self._probe.try_to_leave(other):
                self._moved = True
                return
        stuck = OutputStuck(_OUTPUT_ENABLE, expected="pulses that reach the servos", seen="no tile moves")
        self._findings.blame_instead(stuck.fault, self._box.tile_ids)

    async def _test_cut(self, tile: TileId) -> None:
        """Test that /OE keeps pulses from the servos; done once, with a tile that is free to go down."""
        if self._cut_is_tested or self._is_left_alone(tile) or not await self._probe.can_leave(tile):
            return
        self._cut_is_tested = True
        # A chip that fails meanwhile is blamed itself.
        if await self._probe.try_to_leave_while_cut(tile):
            stuck = OutputStuck(_OUTPUT_ENABLE, expected="no pulses while it is off", seen=f"{tile} moves")
            self._findings.add(stuck.fault)

    async def _test_hold(self, tile: TileId) -> None:
        """Test that a servo lets go when its pulses end. What a kick may feign is asked until two answers agree."""
        answers: list[bool] = []
        while not self._is_left_alone(tile) and self._sensors.sees_open(tile) and answers.count(True) < 2:
            gives_way = await self._probe.gives_way(tile)
            if gives_way is None:
                return
            answers.append(gives_way)
            if answers.count(False) == 2:
                seen = "it stays where it was let go"
                self._findings.add(ServoHolds(str(tile), expected="a tile that gives way", seen=seen).fault)
            if not gives_way:
                await self._probe.send(tile, Position.OPEN)

    async def restore(self) -> None:
        """Bring back what moved, a faulty tile too if it can, and note who is elsewhere all the same."""
        standing = [tile for tile in reversed(self._box.tile_ids) if self._began.get(tile) is Position.OPEN]
        lying = [tile for tile in self._box.tile_ids if self._began.get(tile) is Position.SHUT]
        put: dict[TileId, Position] = {}
        for tile in standing + lying:
            if not self.lid_came_down and not self._findings.is_cut_off(tile) and tile not in self._swapped:
                with suppress(MotionFault), self._findings.record_chip_faults():
                    await self._put_back(tile, put)
        now = {**await self._probe.look(), **put}
        elsewhere = (tile for tile, was in self._began.items() if now.get(tile, was) is not was)
        self._findings.displaced = tuple(map(str, elsewhere))

    async def _put_back(self, tile: TileId, put: dict[TileId, Position]) -> None:
        """One whose sensors are at fault goes back unseen, and counts as being there for those beside it."""
        to = self._began[tile]
        if self._findings.code_of(tile) not in (SensorDoubtful.code, SensorChatters.code):
            await self._bank.execute([TileCommand(tile, to)], put)
        elif await self._probe.is_free(tile, to):
            await self._probe.send(tile, to)
            put[tile] = to
