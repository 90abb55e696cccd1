"""Short pulses and looks that find the moving tile, for tiles whose own sensors cannot be trusted to end a move."""

import asyncio
from collections.abc import Iterable, Mapping

from firmware.box_io import Firmware
from firmware.selftest.findings import Findings
from firmware.tiles.plan import blocking_tile, opposite
from firmware.tiles.servos import COOLING_S
from hardware.tiles import Position, TileId

# Enough for a servo to leave its sensor: a frame of 20 ms and 30 degrees of the loaded way of a slow one (0.27 s + 15 %
# for 90) are 0.12 s.
_SHORT_S = 0.2
# A tile leaves its switch at 13 to 19 degrees, and leans back to its stop below 20 (as built; errors of horns and
# clocks add to that), so the steps are small. They are made in two drives, because each takes a frame, the way, and the
# bounces of the switch, which may show the tile where it was and send it a step too far.
_LEAVES_DEG, _SPAN_DEG, _STEP_S = (range(8, 18), range(17, 27)), 90.0, 0.045
_LEANS_S = 0.3  # a kick of 80 ms, and the way back to the stop
# Enough for the whole way: 0.33 s with the frame for the slowest sound servo. It is shorter than any `motion.cut_s`
# (0.55 s for the least `timeout_s`), because the drive is unwatched and may press against something.
_WHOLE_S = 0.5


class Probe:
    """Unwatched pulses and looks for the self-test. A failing chip is recorded, and its tiles are no longer seen.

    Lifetime: one self-test. Concurrency: one task.
    """

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

    async def gives_way(self, tile: TileId) -> bool | None:
        """Move a standing tile just off its open sensor and release it: True if it leans back, False if it is held.

        None: its sensor did not respond, or a chip failed.
        """
        loosened = False
        with self._findings.record_chip_faults():
            await self._servos.arm()
            for steps_deg in _LEAVES_DEG:
                loosened = loosened or await self._step_off(tile, steps_deg)
        await asyncio.sleep(_LEANS_S)
        seen = (await self.look([tile])).get(tile)
        return seen is Position.OPEN if loosened and seen is not None else None

    async def _step_off(self, tile: TileId, steps_deg: Iterable[int]) -> bool:
        """Drive a standing tile by these steps until it leaves its open sensor, and release it; True if it has."""
        wire = self._box.tiles[tile].servo
        open_us, shut_us = (self._box.pulse_us(tile, shut=shut) for shut in (False, True))
        try:
            for deg in steps_deg:
                await self._servos.drive(wire, open_us + (shut_us - open_us) * deg / _SPAN_DEG)
                await asyncio.sleep(_STEP_S)
                if (await self._sensors.look((tile,)))[tile] is not Position.OPEN:
                    return True
            return False
        finally:
            await self._servos.release(wire)

    async def find_other_mover(self, tile: TileId, before: Mapping[TileId, Position]) -> TileId | None:
        """Find another tile that has moved, or seems to, since `before`; None if none has."""
        after = await self.look()
        moved = [each for each in after if each != tile and after[each] != before.get(each)]
        return next((each for each in moved if not self._findings.is_out(each)), None)

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
        with self._findings.record_chip_faults():
            await self._servos.arm()
            await self._servos.pulse_for(self._box.tiles[tile].servo, pulse_us, seconds)
