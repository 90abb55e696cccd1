"""The bank of all tiles of one box: takes commands, returns reports, moves as many servos as the supply carries."""

import asyncio
import logging
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NoReturn

from firmware.errors import BusFault, HardwareFault, MotionFault, TileRestless
from firmware.messages import SensorReport, TileCommand
from firmware.tiles.drive import TileDrive
from firmware.tiles.plan import PlannedMove, merge_commands, neighbours, plan_moves, select_again, select_startable
from firmware.tiles.sensors import DebouncedSensors, Sensors
from firmware.tiles.servos import Servos
from firmware.tiles.supply_watch import SupplyWatch
from hardware.box import Box
from hardware.tiles import Position, TileId

_log = logging.getLogger(__name__)

# This many failed tiles in one run have a common cause, such as a dead supply, so no other tile is driven.
MOST_FAULTS = 3
# Each servo draws most as it starts; ten that start together are spread over a frame of 20 ms.
_STAGGER_S = 0.002


class Run:
    """One set of running moves: as many at once as the supply can feed; the next one starts when a servo is released.

    Once its sensors say that a tile has arrived, it is still driven to the end of its travel: the moves that wait for
    it may start, but its servo still counts towards the supply's limit.

    reports: the tiles that arrived.
    faults: those that did not.

    Lifetime: one run; `finish` carries out all its moves. Concurrency: one event loop.
    """

    def __init__(self, drive: TileDrive, supply: SupplyWatch, moves: tuple[PlannedMove, ...], at_once: int) -> None:
        self._drive = drive
        self._supply = supply
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
            watching = group.create_task(self._supply.watch())
            while True:
                if len(self.faults) < MOST_FAULTS:
                    arrived = self.reports.keys()
                    for move in select_startable(self._waiting, arrived, running=self._running, at_once=self._at_once):
                        self._waiting.remove(move)
                        self._running += 1
                        group.create_task(self._move_one(move))
                if not self._running:
                    watching.cancel()
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


# A cut pulse makes a servo kick for up to four frames (80 ms, reported for this chip: ArduPilot issue 19772); a tile
# then takes 0.12 s to fall back, and its switch bounces for 20 ms.
_KICKS_S = 0.3
# About one cut in ten kicks, so three kicks in a row are not chance.
_MOST_HEALS = 2
# After the box itself has released a tile on its way, it may move for this long without a hand: a kick, and a look or
# two.
_OWN_DOING_S = 1.0


class TileBank:
    """The tiles: sent to positions, confirmed only by their sensors.

    It takes states, never steps, and looks before it drives, so that the same call is safe after a power cut or a hand.
    It looks again after all releases. A tile that has left its place by itself, kicked by a pulse that was cut in its
    middle, is driven there again before anything is reported.

    Lifetime: opened by `open_firmware`, which also releases every servo at the end. `release` parks the box; the next
    `execute` sets it up again.
    Concurrency: one event loop. Calls of `execute` wait for each other; cancelling one releases its tiles.
    Raises: `MotionFault` for one tile, `BusFault` for the electronics, `ValueError` for a wrong call.
    """

    def __init__(self, box: Box, servos: Servos, sensors: Sensors) -> None:
        self._box = box
        self._servos = servos
        self._debounced = DebouncedSensors(sensors, box.tile_ids)
        self._drive = TileDrive(box, servos, sensors, self._debounced)
        self._one_at_a_time = asyncio.Lock()
        self._let_go_s: dict[TileId, float] = {}

    async def look(self) -> Mapping[TileId, Position]:
        """Look where every tile is, debounced. UNKNOWN: its sensors contradict each other or do not settle.

        After a bus failure this is the first call, so it first stops servos that could not be stopped then.
        """
        await self._servos.silence()
        await self._servos.check()
        return await self._debounced.look(self._box.tile_ids)

    async def wait_for_change(self, within_s: float) -> None:
        """Wait until a hand may have moved a tile, `within_s` at most; then `look` tells whether it did."""
        await self._debounced.wait_for_change(within_s)

    async def execute(
        self, commands: Iterable[TileCommand], overridden: Mapping[TileId, Position] | None = None
    ) -> tuple[SensorReport, ...]:
        """Bring tiles to their positions, in an order that stack rule and supply allow; return reports in given order.

        Positions in `overridden` replace those of the sensors, because a person at the box has looked.

        A tile that is already there gets no pulse, unless its slotted rod may not be at rest. Nothing moves if the
        commands contradict each other (`ValueError`) or break the stack rule (`TileInTheWay`). After a tile's fault the
        other tiles still move, except those that wait for it, and the first fault is raised at the end; after several
        faults no further move starts. A bus fault releases all at once. The call ends 0.3 s after the last release,
        when all tiles have stayed.
        """
        wanted = merge_commands(commands)
        for tile in wanted:
            if tile not in self._box.tiles:
                raise ValueError(f"{self._box.name} has no tile {tile}")
        async with self._one_at_a_time:
            # A tile released on its way must come to rest, or the look would see it where it was.
            rest_s = max(self._let_go_s.values(), default=-math.inf) + _KICKS_S
            await asyncio.sleep(max(0.0, rest_s - asyncio.get_running_loop().time()))
            shown = await self._debounced.look(self._with_neighbours(wanted))
            seen = {**shown, **(overridden or {})}
            _log_already_there(wanted, shown, overridden or {})
            moves = self._plan(wanted, seen)
            # A tile in its place whose rod is not at rest, or perhaps not, is not moved, but let go.
            there = [tile for tile, target in wanted.items() if shown[tile] is seen[tile] is target]
            moves += tuple(PlannedMove(t, wanted[t], frozenset()) for t in there if not self._drive.is_at_rest(t))
            reports = {tile: self._drive.report(tile, seen[tile]) for tile in wanted}
            if moves:
                await self._servos.arm()
                moved = {move.tile for move in moves}
                overrides = {tile: position for tile, position in (overridden or {}).items() if tile not in moved}
                staying = {tile: target for tile, target in wanted.items() if tile not in moved | overrides.keys()}
                reports |= await self._move_all(moves, staying, overrides)
        return tuple(reports[tile] for tile in wanted)

    def forget_rest(self, tile: TileId) -> None:
        """Note that the tile was driven by other means, so that its rod may not be at rest."""
        self._drive.forget_rest(tile)

    def has_just_let_go(self, tile: TileId) -> bool:
        """Return True if `tile` was released on its way, unseen, within the last second: it may have been kicked."""
        return asyncio.get_running_loop().time() - self._let_go_s.get(tile, -math.inf) < _OWN_DOING_S

    async def release(self) -> BusFault | None:
        """Park: no pulses, /OE off, tiles left as they are. Cancel a running `execute` first.

        Returns the fault that kept a servo board from receiving it; /OE is off all the same.
        """
        _log.info("all servos released, tiles left as they are")
        return await self._servos.stop_all()

    def _plan(self, wanted: Mapping[TileId, Position], seen: Mapping[TileId, Position]) -> tuple[PlannedMove, ...]:
        try:
            return plan_moves(wanted, seen, rows=self._box.rows, columns=self._box.columns)
        except HardwareFault as fault:
            _log.info("moves refused fault=%s", fault)
            raise

    def _with_neighbours(self, wanted: Collection[TileId]) -> tuple[TileId, ...]:
        rows, columns = self._box.rows, self._box.columns
        beside = {each for tile in wanted for each in neighbours(tile, rows, columns)}
        return tuple(sorted(beside.union(wanted)))

    async def _move_all(
        self, moves: tuple[PlannedMove, ...], staying: Mapping[TileId, Position], overrides: Mapping[TileId, Position]
    ) -> Mapping[TileId, SensorReport]:
        """Make the moves, and repeat once or twice those of tiles that do not stay, with the moves that wait for them.

        Positions in `overrides` replace those of the sensors for tiles that are not moved.
        """
        reports: dict[TileId, SensorReport] = {}
        faults: dict[TileId, MotionFault] = {}
        due, heals_left = moves, _MOST_HEALS
        while due:
            run = await self._run(due)
            for tile, report in run.reports.items():
                before = reports.get(tile, report if tile in staying else None)
                if before is not None:
                    # A tile that was driven again keeps the travel of its first move.
                    report = replace(before, at_s=report.at_s, healed=before.healed + 1)
                reports[tile] = report
            faults |= run.faults
            held = {**staying, **{move.tile: move.target for move in moves if move.tile in reports}}
            shown = await self._debounced.look(self._with_neighbours([*staying, *(move.tile for move in moves)]))
            seen = {**shown, **overrides}
            # A tile whose sensors do not settle is left to the next look.
            strayed = {tile: to for tile, to in held.items() if seen[tile] not in (to, Position.UNKNOWN)}
            again = select_again(moves, strayed, faults.keys(), reports.keys(), self._box.rows, self._box.columns)
            faults = {tile: fault for tile, fault in faults.items() if tile not in again}
            due = ()
            if heals_left and len(faults) < MOST_FAULTS:
                heals_left -= 1
                for tile, target in again.items():
                    _log.warning("tile strayed, driving again tile=%s seen=%s target=%s", tile, seen[tile], target)
                try:
                    due = self._plan(again, seen)
                except MotionFault as blocked:
                    # For a tile that has failed itself, its own fault says more than that it is in the way.
                    faults.setdefault(TileId.parse(blocked.fault.part), blocked)
            else:
                for tile in strayed:
                    if tile in again:
                        faults[tile] = TileRestless(str(tile), expected=str(again[tile]), seen=str(seen[tile]))
        if faults:
            fault = next(iter(faults.values()))
            fault.arrived = tuple(reports.values())
            raise fault
        return reports

    async def _run(self, moves: tuple[PlannedMove, ...]) -> Run:
        run = Run(self._drive, self._servos.supply, moves, self._box.servos_at_once)
        try:
            await run.finish()
            # All released tiles come to rest before the next look.
            await asyncio.sleep(_KICKS_S)
        except BaseException as error:
            self._let_go_s = dict.fromkeys((move.tile for move in moves), asyncio.get_running_loop().time())
            if isinstance(error, BaseExceptionGroup):
                _raise_bus_fault(error)
            raise
        for move in moves:
            self._let_go_s.pop(move.tile, None)
        run.log_unstarted()
        return run


def _log_already_there(
    wanted: Mapping[TileId, Position], shown: Mapping[TileId, Position], overridden: Mapping[TileId, Position]
) -> None:
    """Log which tiles need not move: one line for each position, and one for each overridden tile.

    A line for each tile would fill the log, because a move of one tile commands all of them.
    """
    there: dict[Position, list[str]] = {}
    for tile, target in wanted.items():
        if tile in overridden:
            if overridden[tile] is target:
                _log.info("tile not moved, position overridden tile=%s at=%s seen=%s", tile, target, shown[tile])
        elif shown[tile] is target:
            there.setdefault(target, []).append(str(tile))
    for target, names in there.items():
        _log.info("tiles not moved, already in position at=%s tiles=%s", target, ",".join(names))


def _raise_bus_fault(group: BaseExceptionGroup[BaseException]) -> NoReturn:
    """Raise the first of several bus faults, since all tiles meet the same one. Raise any other group as it is."""
    _, others = group.split(BusFault)
    if others is not None:
        raise group
    _log.info("moves stopped fault=%s", group.exceptions[0])
    raise group.exceptions[0]
