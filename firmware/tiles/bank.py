"""The bank of all tiles of one box: commands in, reports out, as many servos at once as the supply carries."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import NoReturn

from firmware.errors import BusFault, HardwareFault, MotionFault
from firmware.messages import SensorReport, TileCommand
from firmware.tiles.debounce import DebouncedSensors
from firmware.tiles.drive import TileDrive
from firmware.tiles.plan import PlannedMove, merge_commands, neighbours, plan_moves, select_startable
from firmware.tiles.sensors import Sensors
from firmware.tiles.servos import Servos
from hardware.box import Box
from hardware.tiles import Position, TileId

_log = logging.getLogger(__name__)


class TileBank:
    """The tiles, sent to positions and believed only by their sensors.

    It takes states, never steps, and looks before it drives, so that the same call is safe after a power cut or a hand.

    Lifetime: opened by `open_firmware`, which also lets go of every servo at the end. `release` parks the box;
    the next `execute` sets it up again.
    Concurrency: one event loop. Calls of `execute` wait for each other; cancelling one lets go of its tiles.
    Raises: `MotionFault` for one tile, `BusFault` for the electronics, `ValueError` for a wrong call.
    """

    def __init__(self, box: Box, servos: Servos, sensors: Sensors) -> None:
        self._box = box
        self._servos = servos
        self._debounced = DebouncedSensors(sensors, box.tile_ids)
        self._drive = TileDrive(box, servos, sensors, self._debounced)
        self._one_at_a_time = asyncio.Lock()

    async def look(self) -> Mapping[TileId, Position]:
        """Look where every tile is, debounced. UNKNOWN: its sensors contradict each other or do not settle."""
        return await self._debounced.look(self._box.tile_ids)

    async def wait_for_change(self, within_s: float) -> None:
        """Wait until a hand may have moved a tile, `within_s` at most; then `look` says whether it did."""
        await self._debounced.wait_for_change(within_s)

    async def execute(
        self, commands: Iterable[TileCommand], believed: Mapping[TileId, Position] | None = None
    ) -> tuple[SensorReport, ...]:
        """Bring tiles to their positions, in an order wood and supply allow; reports come as commanded.

        Tiles that are `believed` to be somewhere are there, whatever their sensors say: somebody at the box has looked.

        A tile that is there already gets no pulse. Nothing moves if the commands contradict each other
        (`ValueError`) or break the stack rule (`TileInTheWay`). After a tile's fault the others still move, but those
        that have to wait for it, and the first fault is raised at the end; after several nothing starts any more. A bus
        fault lets go of all at once.
        """
        wanted = merge_commands(commands)
        self._refuse_unknown_tiles(wanted)
        async with self._one_at_a_time:
            shown = await self._debounced.look(self._with_neighbours(wanted))
            seen = {**shown, **(believed or {})}
            _log_already_there(wanted, shown, believed or {})
            moves = self._plan(wanted, seen)
            reports = {tile: self._drive.report(tile, seen[tile]) for tile in wanted}
            if moves:
                await self._servos.arm()
                reports |= await self._move_all(moves)
        return tuple(reports[tile] for tile in wanted)

    async def release(self) -> BusFault | None:
        """Park: no pulses, /OE off, tiles left as they are. Cancel an `execute` under way before.

        Returns what kept a servo board from hearing it; /OE is off all the same.
        """
        _log.info("all servos are let go, the tiles are left as they are")
        return await self._servos.stop_all()

    def _refuse_unknown_tiles(self, wanted: Mapping[TileId, Position]) -> None:
        for tile in wanted:
            if tile not in self._box.tiles:
                raise ValueError(f"{self._box.name} has no tile {tile}")

    def _plan(self, wanted: Mapping[TileId, Position], seen: Mapping[TileId, Position]) -> tuple[PlannedMove, ...]:
        try:
            return plan_moves(wanted, seen, rows=self._box.rows, columns=self._box.columns)
        except HardwareFault as fault:
            _log.info("no tile is moved: %s", fault)
            raise

    def _with_neighbours(self, wanted: Mapping[TileId, Position]) -> tuple[TileId, ...]:
        rows, columns = self._box.rows, self._box.columns
        beside = {each for tile in wanted for each in neighbours(tile, rows, columns)}
        return tuple(sorted(beside | set(wanted)))

    async def _move_all(self, moves: tuple[PlannedMove, ...]) -> Mapping[TileId, SensorReport]:
        run = _Run(self._drive, moves, self._box.supply.servos_at_once)
        try:
            await run.finish()
        except BaseExceptionGroup as group:
            _raise_bus_fault(group)
        run.log_unstarted()
        if run.faults:
            run.faults[0].arrived = tuple(run.reports.values())
            raise run.faults[0]
        return run.reports


# So many tiles that fail in one run have a cause in common, such as a dead supply: no other is driven against it.
_MOST_FAULTS = 3


# Each servo draws most as it starts; ten that start together are spread over a frame of 20 ms.
_STAGGER_S = 0.002


class _Run:
    """One set of moves under way: as many at once as the supply carries, the next when one is done."""

    def __init__(self, drive: TileDrive, moves: tuple[PlannedMove, ...], at_once: int) -> None:
        self._drive = drive
        self._waiting = list(moves)
        self._at_once = at_once
        self._next_start_s = 0.0
        self.reports: dict[TileId, SensorReport] = {}
        self.faults: list[MotionFault] = []

    async def finish(self) -> None:
        running: set[asyncio.Task[None]] = set()
        async with asyncio.TaskGroup() as group:
            while True:
                running |= self._start(group, len(running))
                if not running:
                    return
                _, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)

    def log_unstarted(self) -> None:
        """Say of each tile that was never started why not."""
        failed = len(self.faults) >= _MOST_FAULTS
        for move in self._waiting:
            missing = ", ".join(map(str, sorted(move.after - self.reports.keys())))
            reason = f"{len(self.faults)} others failed" if failed or not missing else f"{missing} is in its way"
            _log.info("%s: not driven to %s, %s", move.tile, move.target, reason)

    def _start(self, group: asyncio.TaskGroup, running: int) -> set[asyncio.Task[None]]:
        if len(self.faults) >= _MOST_FAULTS:
            return set()
        started = select_startable(self._waiting, self.reports.keys(), running=running, at_once=self._at_once)
        for move in started:
            self._waiting.remove(move)
        return {group.create_task(self._move_one(move)) for move in started}

    async def _wait_for_turn(self) -> None:
        """Servos that start together draw their starting currents together: one after the other."""
        loop = asyncio.get_running_loop()
        start_s = max(loop.time(), self._next_start_s)
        self._next_start_s = start_s + _STAGGER_S
        await asyncio.sleep(start_s - loop.time())

    async def _move_one(self, move: PlannedMove) -> None:
        await self._wait_for_turn()
        try:
            self.reports[move.tile] = await self._drive.move(move.tile, move.target)
        except MotionFault as fault:
            self.faults.append(fault)


def _log_already_there(
    wanted: Mapping[TileId, Position], shown: Mapping[TileId, Position], believed: Mapping[TileId, Position]
) -> None:
    """Say which tiles need not move: one line for all that their sensors show there, and one for each that is believed.

    A line for each would be most of the log: a move of one tile asks for all of them.
    """
    there: dict[Position, list[str]] = {}
    for tile, target in wanted.items():
        if tile in believed:
            if believed[tile] is target:
                _log.info("%s: not moved, believed to be %s; its sensors show %s", tile, target, shown[tile])
        elif shown[tile] is target:
            there.setdefault(target, []).append(str(tile))
    for target, names in there.items():
        _log.info("already %s, not moved: %s", target, ", ".join(names))


def _raise_bus_fault(group: BaseExceptionGroup[BaseException]) -> NoReturn:
    """Several tiles meet the same bus fault: the first one says it all. Anything else stays as it is."""
    _, others = group.split(BusFault)
    if others is not None:
        raise group
    _log.info("no tile is driven any more: %s", group.exceptions[0])
    raise group.exceptions[0]
