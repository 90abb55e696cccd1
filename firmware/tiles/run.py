"""One run of moves: as many at once as the supply carries, each after those it waits for have arrived."""

import asyncio
import logging

from firmware.errors import MotionFault
from firmware.messages import SensorReport
from firmware.tiles.drive import TileDrive
from firmware.tiles.plan import PlannedMove, select_startable
from hardware.tiles import TileId

_log = logging.getLogger(__name__)

# This many failed tiles in one run have a common cause, such as a dead supply, so no other tile is driven.
MOST_FAULTS = 3
# Each servo draws most as it starts; ten that start together are spread over a frame of 20 ms.
_STAGGER_S = 0.002


class Run:
    """One set of running moves: as many at once as the supply carries, the next when one is released.

    A tile that has arrived by its sensors is driven on to the end of its way: those that wait for it may start, but its
    servo still counts for the supply.

    reports: the tiles that arrived.
    faults: those that did not.

    Lifetime: one run; `finish` makes it. Concurrency: one event loop.
    """

    def __init__(self, drive: TileDrive, moves: tuple[PlannedMove, ...], at_once: int) -> None:
        self._drive = drive
        self._waiting = list(moves)
        self._at_once = at_once
        self._next_start_s = 0.0
        self.reports = dict[TileId, SensorReport]()
        self.faults = dict[TileId, MotionFault]()
        self._running = 0
        self._changed = asyncio.Event()

    async def finish(self) -> None:
        """Make the moves. Raises an `ExceptionGroup` of `BusFault`."""
        async with asyncio.TaskGroup() as group:
            while True:
                if len(self.faults) < MOST_FAULTS:
                    arrived = self.reports.keys()
                    for move in select_startable(self._waiting, arrived, running=self._running, at_once=self._at_once):
                        self._waiting.remove(move)
                        self._running += 1
                        group.create_task(self._move_one(move))
                if not self._running:
                    return
                self._changed.clear()
                await self._changed.wait()

    def log_unstarted(self) -> None:
        failed = len(self.faults) >= MOST_FAULTS
        for move in self._waiting:
            missing = ", ".join(map(str, sorted(move.after - self.reports.keys())))
            reason = f"{len(self.faults)} others failed" if failed or not missing else f"{missing} is in its way"
            _log.info('tile not driven tile=%s target=%s reason="%s"', move.tile, move.target, reason)

    async def _move_one(self, move: PlannedMove) -> None:
        # Servos start one after the other, so that their starting currents do not add up.
        loop = asyncio.get_running_loop()
        start_s = max(loop.time(), self._next_start_s)
        self._next_start_s = start_s + _STAGGER_S
        await asyncio.sleep(start_s - loop.time())
        try:
            await self._drive.move(move.tile, move.target, self._note_arrival)
        except MotionFault as fault:
            self.faults[move.tile] = fault
        finally:
            self._running -= 1
            self._changed.set()

    def _note_arrival(self, report: SensorReport) -> None:
        self.reports[report.tile] = report
        self._changed.set()
