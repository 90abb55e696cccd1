"""The bank of all tiles of one box: commands in, reports out, as many servos at once as the supply carries."""

import asyncio
import logging
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import NoReturn

from firmware.errors import BusFault, HardwareFault, MotionFault, TileRestless
from firmware.messages import SensorReport, TileCommand
from firmware.tiles.debounce import DebouncedSensors
from firmware.tiles.drive import TileDrive
from firmware.tiles.plan import PlannedMove, merge_commands, neighbours, plan_moves, select_again
from firmware.tiles.run import MOST_FAULTS, Run
from firmware.tiles.sensors import Sensors
from firmware.tiles.servos import Servos
from hardware.box import Box
from hardware.tiles import Position, TileId

_log = logging.getLogger(__name__)

# A pulse that is cut makes a servo kick for up to four frames (80 ms, reported of this very chip: ArduPilot issue
# 19772); a tile that then falls back takes 0.12 s, and its switch bounces for 20 ms.
_KICKS_S = 0.3
# One kick in ten releases or so: three in a row are no chance any more.
_MOST_HEALS = 2
# A tile that the box itself has let go on its way is not a hand's doing so long: a kick, and a look or two.
_OWN_DOING_S = 1.0


class TileBank:
    """The tiles, sent to positions and believed only by their sensors.

    It takes states, never steps, and looks before it drives, so that the same call is safe after a power cut or a hand.
    It looks again when all is let go: a tile that has left its place by itself, kicked by a pulse that was cut in its
    middle, is driven there again, before anybody hears of it.

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
        self._let_go_s: dict[TileId, float] = {}

    async def look(self) -> Mapping[TileId, Position]:
        """Look where every tile is, debounced. UNKNOWN: its sensors contradict each other or do not settle.

        It is what comes first once a bus that failed is back: servos that were not told to stop then are told before.
        """
        await self._servos.silence()
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
        fault lets go of all at once. It ends 0.3 s after the last tile was let go, when all have stayed.
        """
        wanted = merge_commands(commands)
        self._refuse_unknown_tiles(wanted)
        async with self._one_at_a_time:
            await self._come_to_rest()
            shown = await self._debounced.look(self._with_neighbours(wanted))
            seen = {**shown, **(believed or {})}
            _log_already_there(wanted, shown, believed or {})
            moves = self._plan(wanted, seen)
            reports = {tile: self._drive.report(tile, seen[tile]) for tile in wanted}
            if moves:
                await self._servos.arm()
                moved = {move.tile for move in moves}
                vouched = {tile: position for tile, position in (believed or {}).items() if tile not in moved}
                staying = {tile: target for tile, target in wanted.items() if tile not in moved | vouched.keys()}
                reports |= await self._move_all(moves, staying, vouched)
        return tuple(reports[tile] for tile in wanted)

    def has_just_let_go(self, tile: TileId) -> bool:
        """True if `tile` was let go on its way within the last second, unseen: it may have been kicked."""
        return asyncio.get_running_loop().time() - self._let_go_s.get(tile, -math.inf) < _OWN_DOING_S

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
            _log.info("none of these is moved: %s", fault)
            raise

    def _with_neighbours(self, wanted: Collection[TileId]) -> tuple[TileId, ...]:
        rows, columns = self._box.rows, self._box.columns
        beside = {each for tile in wanted for each in neighbours(tile, rows, columns)}
        return tuple(sorted(beside.union(wanted)))

    async def _come_to_rest(self) -> None:
        """Wait until what was let go on its way is still: a look before that would see it where it was."""
        rest_s = max(self._let_go_s.values(), default=-math.inf) + _KICKS_S
        await asyncio.sleep(max(0.0, rest_s - asyncio.get_running_loop().time()))

    async def _move_all(
        self, moves: tuple[PlannedMove, ...], staying: Mapping[TileId, Position], vouched: Mapping[TileId, Position]
    ) -> Mapping[TileId, SensorReport]:
        """Make the moves; tiles that do not stay where they are, or wait for one of these, once or twice again.

        `vouched` are where somebody has seen them, whatever their sensors say, as long as they are not moved.
        """
        reports: dict[TileId, SensorReport] = {}
        faults: dict[TileId, MotionFault] = {}
        due, heals_left = moves, _MOST_HEALS
        while due:
            run = await self._run(due)
            for tile, report in run.reports.items():
                reports[tile] = _joined(reports.get(tile, report if tile in staying else None), report)
            faults |= run.faults
            held = {**staying, **{move.tile: move.target for move in moves if move.tile in reports}}
            shown = await self._debounced.look(self._with_neighbours([*staying, *(move.tile for move in moves)]))
            seen = {**shown, **vouched}
            strayed = {tile: target for tile, target in held.items() if _has_left(seen[tile], target)}
            again = select_again(moves, strayed, faults.keys(), reports.keys(), self._box.rows, self._box.columns)
            faults = {tile: fault for tile, fault in faults.items() if tile not in again}
            due = ()
            if heals_left and len(faults) < MOST_FAULTS:
                heals_left -= 1
                _log_strayed(again, seen)
                try:
                    due = self._plan(again, seen)
                except MotionFault as blocked:
                    # Of a tile that has failed itself, its own fault says more than that it is in the way.
                    faults.setdefault(TileId.parse(blocked.fault.part), blocked)
            else:
                faults |= {tile: _restless(tile, again[tile], seen[tile]) for tile in strayed if tile in again}
        if faults:
            fault = next(iter(faults.values()))
            fault.arrived = tuple(reports.values())
            raise fault
        return reports

    async def _run(self, moves: tuple[PlannedMove, ...]) -> Run:
        """Make the moves, and wait until what is let go has come to rest."""
        run = Run(self._drive, moves, self._box.supply.servos_at_once)
        try:
            await run.finish()
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


def _log_strayed(again: Mapping[TileId, Position], seen: Mapping[TileId, Position]) -> None:
    for tile, target in again.items():
        _log.warning("%s: seen %s when all were let go, and sent to %s again", tile, seen[tile], target)


def _restless(tile: TileId, target: Position, seen: Position) -> TileRestless:
    return TileRestless(str(tile), expected=str(target), seen=str(seen))


def _joined(before: SensorReport | None, after: SensorReport) -> SensorReport:
    """The report of a tile that had arrived `before` and was driven again: its travel is that of the first time."""
    return replace(before, at_s=after.at_s, healed=before.healed + 1) if before is not None else after


def _has_left(seen: Position, target: Position) -> bool:
    """True if a tile is surely elsewhere. One whose sensors do not settle is for those to judge who look next."""
    return seen not in (target, Position.UNKNOWN)


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
