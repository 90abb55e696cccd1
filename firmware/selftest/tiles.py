"""Self-test of the tiles: each goes down and up; a fault is blamed on the tile, on swapped plugs, or on /OE."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from firmware.tiles.plan import blocking_tile, opposite
from firmware.tiles.servos import COOLING_S
from hardware.tiles import Position, TileId

# Enough for a tile to leave its sensor: a frame of 20 ms, and 0.07 s of the slowest sound servo.
_SHORT_S = 0.2
# A first pulse comes within a frame of 20 ms. In the rest of this time a servo turns by 18 degrees at most, on a
# slotted rod without touching the tile, and stops when its pulses do. One that holds without pulses goes on to the end.
_GLIMPSE_S = 0.03
_GOES_ON_S = 0.3  # a kick of 80 ms, or the whole way of a servo that goes on, with the bounces of the switch
# Enough for the whole way: 0.2 s with the frame for the slowest sound servo. It is shorter than any `motion.cut_s`
# (0.55 s for the least `timeout_s`), because the drive is unwatched and may press against something.
_WHOLE_S = 0.5


class Probe:
    """Unwatched pulses and looks for the self-test. A failing chip is recorded, and its tiles are no longer seen."""

    def __init__(self, firmware: Firmware, findings: Findings) -> None:
        self._box = firmware.box
        self._bank = firmware.bank
        self._servos = firmware.servos
        self._sensors = firmware.sensors
        self._findings = findings

    async def look(self, tiles: Iterable[TileId] | None = None) -> Mapping[TileId, Position]:
        """Look where these tiles are, or all of them; the result is empty if the bus fails."""
        seen: Mapping[TileId, Position] = {}
        with self._findings.record_chip_faults():
            seen = await self._bank.look()
        return {tile: seen[tile] for tile in (self._box.tile_ids if tiles is None else tiles) if tile in seen}

    async def send(self, tile: TileId, to: Position) -> None:
        """Drive the servo on the tile's plug all the way, unwatched."""
        await self._pulse(tile, to, _WHOLE_S)

    async def is_free(self, tile: TileId, to: Position) -> bool:
        """Return True if, by the sensors, no other tile is in the way of a pulse to `to`."""
        other = blocking_tile(tile, to, self._box.rows, self._box.columns)
        return other is None or (await self.look([other])).get(other) is to

    async def can_leave(self, tile: TileId) -> bool:
        seen = await self.look([tile])
        return await self.is_free(tile, Position.OPEN if seen.get(tile) is Position.SHUT else Position.SHUT)

    async def try_to_leave(self, tile: TileId) -> bool:
        """Send a short pulse away from where the tile is, then one back; return True if the first moved it."""
        before = await self.look([tile])
        back = Position.SHUT if before.get(tile) is Position.SHUT else Position.OPEN
        await self._pulse(tile, opposite(back), _SHORT_S)
        after = await self.look([tile])
        await self._pulse(tile, back, _SHORT_S)
        return bool(after) and after != before

    async def try_to_leave_while_cut(self, tile: TileId) -> bool:
        """Send a standing tile a short pulse that /OE must block; return True if it moved all the same."""
        before = await self.look([tile])
        with self._findings.record_chip_faults():
            await self._servos.arm()
            pulse_us = self._box.pulse_us(tile, shut=True)
            await self._servos.pulse_while_cut(self._box.tiles[tile].servo, pulse_us, _SHORT_S)
        after = await self.look([tile])
        return bool(after) and after != before

    async def goes_on(self, tile: TileId) -> bool | None:
        """Turn the servo of a lying tile from its end for a moment; True if the tile comes up. None: a chip failed."""
        await self._pulse(tile, Position.SHUT, _SHORT_S)
        await self._pulse(tile, Position.OPEN, _GLIMPSE_S)
        await asyncio.sleep(_GOES_ON_S)
        seen = (await self.look([tile])).get(tile)
        return None if seen is None else seen is Position.OPEN

    async def find_other_mover(self, tile: TileId, before: Mapping[TileId, Position]) -> TileId | None:
        """Find another tile that has moved, or seems to, since `before`; None if none has.

        A back tile that goes down takes the tile in front of it along, a front tile that comes up the one behind it.
        """
        after = await self.look()
        moved = [each for each in after if each != tile and after[each] != before.get(each)]
        blamable = [each for each in moved if not self._findings.is_out(each)]
        down = [each for each in blamable if before.get(each) is Position.OPEN]
        return next(iter([*reversed(down), *blamable]), None)

    async def find_mover_backwards(self, tile: TileId, target: Position) -> TileId | None:
        """Send this tile off `target`, and find another that moves, which was at `target` before."""
        back = opposite(target)
        if not await self.is_free(tile, back):
            return None
        await asyncio.sleep(COOLING_S)
        before = await self.look()
        await self._pulse(tile, back, _SHORT_S)
        other = await self.find_other_mover(tile, before)
        await self.send(tile, target)
        return other

    async def _pulse(self, tile: TileId, to: Position, seconds: float) -> None:
        pulse_us = self._box.pulse_us(tile, shut=to is Position.SHUT)
        self._bank.forget_rest(tile)
        with self._findings.record_chip_faults():
            await self._servos.arm()
            await self._servos.pulse_for(self._box.tiles[tile].servo, pulse_us, seconds)


# The slowest sound servo (60 degrees in 0.11 s + 15 %, less a tenth when it is warm), a frame, the debounce, and a
# margin for rubbing wood: it lifts a tile in 0.18 s, or pushes it over in 0.08 s, from where it falls for 0.1 s.
_SLOW_S = {Position.SHUT: 0.24, Position.OPEN: 0.28}
_NONE_MOVES = 3  # if this many tiles do not move and none does, one common cause is likelier than single faults
_OUTPUT_ENABLE = "/OE"
_NO_CURRENT = "Plug the tile's servo in; if it is, look at its lead and its resettable fuse, or replace the servo."


class TileTest:
    """Moves the tiles of one box, a column at a time, and records its findings.

    Call `raise_all` first, because a lying tile would hide which plug moves it; then `test_column` for one column after
    the other; `restore` at the end. Once the lid is down, nothing is driven except for a running move, and nothing is
    blamed.
    """

    def __init__(self, firmware: Firmware, findings: Findings) -> None:
        self._box = firmware.box
        self._bank = firmware.bank
        self._panel = firmware.panel
        self._supply = firmware.servos.supply
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
        self._lid_came_down |= self._panel.lid_is_closed
        return self._lid_came_down

    def not_moved_both_ways(self) -> Iterator[TileId]:
        for tile in self._box.tile_ids:
            times = self._findings.times.get(tile)
            if times is None or times.down_s is None or times.up_s is None:
                yield tile

    async def raise_all(self) -> None:
        """Bring up every tile that can come up; one that cannot is not blamed before it is tested."""
        self._began = await self._probe.look()
        for tile in reversed(self._box.tile_ids):
            none_moves = not self._moved and len(self._not_raised) >= _NONE_MOVES
            if none_moves or self._is_left_alone(tile):
                continue
            with self._findings.record_chip_faults():
                try:
                    (report,) = await self._bank.execute([TileCommand(tile, Position.OPEN)])
                except MotionFault as fault:
                    self._not_raised[tile] = fault
                else:
                    self._moved |= report.took_s is not None
                    await self._finish(report)

    async def _finish(self, report: SensorReport) -> None:
        """Send a tile again if no sensor sees it stand, because a slow one may still be on its way up."""
        if report.assumed and report.took_s is not None:
            await self._probe.send(report.tile, report.position)

    async def test_column(self, column: int) -> tuple[TileId, ...]:
        """Move all tiles of a column up, down and up again; return the tiles that did so."""
        front_to_back = self._box.in_column(column)
        if all(self._findings.is_out(tile) for tile in front_to_back):
            return ()
        for tile in reversed(front_to_back):
            await self._test(tile, Position.OPEN)
        # One is shut after the other, except tiles that could not come up again past the tile behind them. Tiles behind
        # a faulty one are left out too, since its sensors may be wrong about its lying down.
        raised = await self._probe.look(front_to_back)
        for ahead, tile, behind in zip((None, *front_to_back), front_to_back, (*front_to_back[1:], None), strict=False):
            free = ahead is None or not self._findings.is_out(ahead)
            if free and (behind is None or raised.get(behind) is Position.OPEN):
                if not self._cut_is_tested and not self._is_left_alone(tile) and await self._probe.can_leave(tile):
                    # Once, with a tile that is free to go down, /OE must block the pulses.
                    self._cut_is_tested = True
                    if await self._probe.try_to_leave_while_cut(tile):
                        seen = f"{tile} moves"
                        stuck = OutputStuck(_OUTPUT_ENABLE, expected="no pulses while it is off", seen=seen)
                        self._findings.add(stuck.fault)
                await self._test(tile, Position.SHUT)
                await self._test_hold(tile)
            elif not self._findings.is_out(tile):
                self._findings.leave_out([tile])
        for tile in reversed(front_to_back):
            await self._test(tile, Position.OPEN)
        return tuple(tile for tile in front_to_back if not self._findings.is_out(tile))

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
            took_s = report.took_s
            if took_s is not None:
                self._moved = True
                times = self._findings.times.get(tile, TileTimes(tile))
                times = replace(times, retries=times.retries + report.tries - 1)
                is_down = target is Position.SHUT
                self._findings.times[tile] = replace(times, down_s=took_s) if is_down else replace(times, up_s=took_s)
                # A tile that no sensor sees stand counts as arrived after a time that says nothing of it.
                if took_s > _SLOW_S[target] and not report.assumed:
                    expected, seen = f"{target} within {_SLOW_S[target]} s", f"{target} after {took_s:.2f} s"
                    self._findings.add(TileSlow(str(tile), expected=expected, seen=seen).fault)
            await self._finish(report)
        if not reports:
            # The board of another tile may keep this one from being driven.
            self._findings.leave_out([tile])

    async def _blame(
        self, tile: TileId, target: Position, fault: MotionFault, before: Mapping[TileId, Position]
    ) -> None:
        if fault.fault.part != str(tile):
            self._findings.leave_out([tile])
            return
        drew_a = self._supply.drew_a
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
        blamed = self._not_raised.get(tile, fault)
        if isinstance(blamed, TileJammed) and drew_a is not None and drew_a < self._box.supply.moving_a[0] / 2:
            expected, seen = blamed.fault.expected, f"{blamed.fault.seen}, and its servo draws no current"
            blamed = TileJammed(str(tile), expected=expected, seen=seen, cure=_NO_CURRENT)
        self._findings.add(blamed.fault)
        if self._moved or not isinstance(fault, TileJammed):
            return
        self._jammed.append(tile)
        if len(self._jammed) != _NONE_MOVES:
            return
        # Several do not move, and none has so far: unless there is one that does, /OE is to blame instead.
        for each in (tile for tile in self._box.tile_ids if not self._findings.is_out(tile)):
            if await self._probe.can_leave(each) and await self._probe.try_to_leave(each):
                self._moved = True
                return
        stuck = OutputStuck(_OUTPUT_ENABLE, expected="pulses that reach the servos", seen="no tile moves")
        self._findings.blame_instead(stuck.fault, self._box.tile_ids)

    def _blame_plugs(self, tile: TileId, target: Position, other: TileId) -> None:
        """Blame swapped plugs on the first tile of the two; the other cannot be tested."""
        first, second = sorted((tile, other), key=self._box.tile_ids.index)
        seen = f"{other} answers instead"
        self._findings.add(WiresSwapped(str(first), expected=f"{tile} moves to {target}", seen=seen).fault)
        self._findings.leave_out([second])
        self._swapped |= {first, second}

    async def _test_hold(self, tile: TileId) -> None:
        """Test that a servo stops when its pulses end; repeat until two answers agree, since a kick may mislead."""
        answers: list[bool] = []
        while not self._is_left_alone(tile) and self._sensors.sees_open(tile) and answers.count(False) < 2:
            goes_on = await self._probe.goes_on(tile)
            if goes_on is None:
                return
            answers.append(goes_on)
            # The time of this longer way is not judged; a tile that does not come is blamed on its way up.
            with suppress(MotionFault), self._findings.record_chip_faults():
                await self._bank.execute([TileCommand(tile, Position.SHUT)])
            if answers.count(True) == 2:
                expected, seen = "a tile that stops when its pulses end", "it comes up all the way"
                self._findings.add(ServoHolds(str(tile), expected=expected, seen=seen).fault)
                return

    async def restore(self) -> None:
        """Bring back every moved tile, a faulty one too if possible, and record those that are still elsewhere."""
        standing = [tile for tile in reversed(self._box.tile_ids) if self._began.get(tile) is Position.OPEN]
        lying = [tile for tile in self._box.tile_ids if self._began.get(tile) is Position.SHUT]
        put: dict[TileId, Position] = {}
        for tile in standing + lying:
            if self.lid_came_down or self._findings.is_cut_off(tile) or tile in self._swapped:
                continue
            to = self._began[tile]
            with suppress(MotionFault), self._findings.record_chip_faults():
                # A tile with faulty sensors goes back unwatched, and counts as being there for its neighbours.
                if self._findings.code_of(tile) not in (SensorDoubtful.code, SensorChatters.code):
                    await self._bank.execute([TileCommand(tile, to)], put)
                elif await self._probe.is_free(tile, to):
                    await self._probe.send(tile, to)
                    put[tile] = to
        now = {**await self._probe.look(), **put}
        elsewhere = (tile for tile, was in self._began.items() if now.get(tile, was) is not was)
        self._findings.displaced = tuple(map(str, elsewhere))
