"""The jobs of the tiles: move them where the game has them, watch for strays, take moves made by hand.

The meaning of tipped tiles is decided in `controller.game.hands`; the way a tile moves, in `firmware.tiles`.
"""

import asyncio
import logging
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress

from controller.box.table import Table, targets
from controller.game.core.commands import ConfirmTiles, ReportTiles
from controller.game.core.engine import AnyGame
from controller.game.core.message import compose
from controller.game.core.phases import FoundTile, Moving
from controller.game.shutbox.commands import Choose
from controller.game.shutbox.hands import Complete, Unclear, Wrong, meaning_of
from controller.game.shutbox.messages import describe_countdown, describe_meaning
from controller.game.shutbox.state import Game
from controller.game.table.resume_point import ResumePoint
from controller.referee.jobs.outcomes import Compared, Job, Notice, Observations, Overrides
from controller.settings import Pace
from firmware.errors import BusHung, ChipForgot, MotionFault, PulsesCut, SensorDoubtful, TileMoved
from firmware.messages import SensorReport, TileCommand
from hardware.errors import BoxFault
from hardware.tiles import Position, TileId

_log = logging.getLogger(__name__)

_STANDSTILLS = 2  # of this process or its bus in one move; more are no accident
# A kernel may hold a transfer for a second after the bus is free again, and drops what waits behind it.
_BUS_BACK_S = 0.7
_LOOKS = 2
_RESENDS = 2  # in one move; a hand that goes on flicking tiles is asked what it wants
_AGAIN_S = 0.03  # a tile that a hand moves is in another place after this time
_MOST_AGAIN = 100
_HAND_LEAVES_S = 1.0  # before a tile is put back, so that no fingers are in its way


class TileJobs:
    """The jobs of the tiles on one table.

    All of them compare the sensors with the game, except for tiles that a person has overridden: that is why they share
    one `Overrides`. Lifetime: the same as the executor's. Concurrency: one event loop. Raises: `BoxFault`.
    """

    def __init__(self, table: Table, pace: Pace, overrides: Overrides, observations: Observations) -> None:
        self._table = table
        self._pace = pace
        self._overrides = overrides
        self._observations = observations

    async def move(self, game: AnyGame) -> Job:
        """Move every tile to its place in the game, under an open lid: under a closed one no tile can stand."""
        async with aclosing(self._wait_for_box()) as outcomes:
            async for each in outcomes:
                yield each
        await self._bring(game, self._table.box.tile_ids)
        yield ConfirmTiles()

    async def prepare_signs(self, game: AnyGame) -> Job:
        """Wait for an open lid, and move tiles back that an interrupted sign has tipped."""
        async with aclosing(self._wait_for_box()) as outcomes:
            async for each in outcomes:
                yield each
        await self.end_signs(game)

    async def tip(self, game: AnyGame, name: str) -> None:
        """Tip a tile away from its place in the game, as a sign, if the box has it and no person has overridden it."""
        tile = next((tile for tile in self._table.box.tile_ids if str(tile) == name), None)
        if tile is None or name in game.believed:
            return
        wanted = dict(targets(game.board, self._table.box))
        wanted[tile] = Position.SHUT if wanted[tile] is Position.OPEN else Position.OPEN
        self._note_moves(await self._execute(game, [TileCommand(tile, wanted[tile])], wanted))
        await self._find_strays(game)  # for people who look from elsewhere

    async def end_signs(self, game: AnyGame) -> None:
        """Move all tiles that were tipped as signs back at once."""
        await self._bring(game, await self._find_strays(game))

    async def _bring(self, game: AnyGame, tiles: Collection[TileId]) -> None:
        """Move tiles to their places in the game, and others that stray meanwhile."""
        if tiles:
            await self._place(game, tiles)
        # A hand may have flicked a tile that had arrived while the others moved: only a look at all of them confirms.
        strayed = await self._find_strays(game)
        for _ in range(_RESENDS):
            if strayed:
                _log.info("tiles strayed during a move, driving again tiles=%s", _join_names(strayed))
                await self._place(game, strayed)
                strayed = await self._find_strays(game)
        for tile, seen in strayed.items():
            raise self._make_fault(game, tile, seen)

    async def compare(self, game: AnyGame, resume_point: ResumePoint) -> Job:
        """Compare the tiles of a resumed game; if one was moved meanwhile, report all that differ.

        Tiles that the box itself was moving need no question: they are named, and moved to their places.
        """
        async with aclosing(self._wait_for_box()) as outcomes:
            async for each in outcomes:
                yield each
        strayed = await self._find_settled_strays(game)
        untold = [str(tile) for tile in strayed if str(tile) not in resume_point.told]
        on_their_way = isinstance(game.phase, Moving) or game.signs
        if untold and not (on_their_way and resume_point.moving.issuperset(untold)):
            _log.info("tiles differ from the game, asking players tiles=%s", _join_names(strayed))
            yield ReportTiles(self._list_found(game, strayed))
            return
        if untold:
            yield Notice((compose("tiles.brought", tiles=tuple(untold)),))
        yield Compared()

    async def wait_for_answer(self, game: AnyGame, told: Sequence[FoundTile]) -> Job:
        """Watch the tiles that people are asked about: report changes, and go on once all are in place."""
        while strayed := await self._find_settled_strays(game):
            found = self._list_found(game, strayed)
            if found != tuple(told):
                yield ReportTiles(found)
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
        yield ConfirmTiles()

    async def watch(self, game: AnyGame) -> None:
        """Raise `TileMoved` when a tile is not in its place in the game."""
        while True:
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
            for tile, seen in (await self._find_lasting_strays(game)).items():
                raise self._make_fault(game, tile, seen)

    async def wait(self, game: AnyGame) -> Job:
        """Wait until somebody puts a moved tile back by hand; the game then goes on by itself."""
        strayed = await self._find_strays(game)
        if strayed:
            _log.info("waiting, tiles must be put back or confirmed first tiles=%s", _join_names(strayed))
        while strayed:
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
            strayed = await self._find_strays(game)
        yield ConfirmTiles()

    async def follow_hands(self, game: Game) -> Job:
        """Take the tiles that a hand tips as the player's choice, once they make a move and stay; undo others."""
        while True:
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
            meant = meaning_of(game, await self._find_lasting_strays(game))
            if isinstance(meant, Complete):
                async with aclosing(self._count_down(game, meant)) as outcomes:
                    async for each in outcomes:
                        yield each
            elif isinstance(meant, Unclear) and meant.seen is Position.UNKNOWN:
                raise self._make_fault(game, meant.tile, meant.seen)
            else:
                yield Notice(describe_meaning(game, meant), again=False)
                if not isinstance(meant, Wrong):
                    continue
                await asyncio.sleep(_HAND_LEAVES_S)
                now = meaning_of(game, await self._find_lasting_strays(game))
                if isinstance(now, Wrong):
                    _log.info("tiles do not form a legal move, putting them back tiles=%s", _join_names(now.tiles))
                    await self._place(game, now.tiles)
                else:
                    _log.info("tiles were put back by hand")

    async def _count_down(self, game: Game, meant: Complete) -> Job:
        """Show the player the move that will be taken while it can be taken back, and then choose it."""
        loop = asyncio.get_running_loop()
        due_s = loop.time() + self._pace.hand_countdown_s
        try:
            # In whole milliseconds: two seconds in floats may be a hair longer, and would count from three.
            while (left_s := round(due_s - loop.time(), 3)) > 0:
                self._observations.note(countdown_s=math.ceil(left_s))
                yield Notice((describe_countdown(meant, math.ceil(left_s)),), again=False)
                wait_s = min(left_s, left_s % 1.0 or 1.0, self._pace.watch_every_s)
                await self._table.firmware.bank.wait_for_change(wait_s)
                if meaning_of(game, await self._find_strays(game)) != meant:
                    return
        finally:
            # A pause, a choice by another door or a fault ends it too.
            self._observations.note(countdown_s=None)
        yield Choose(meant.tiles)

    async def _wait_for_box(self) -> Job:
        """Wait until the lid is open, and give the bus time to come back."""
        panel = self._table.firmware.panel
        if panel.lid_is_closed:
            _log.info("lid closed, no tile moves until it is open")
            yield Notice((compose("lid.closed"),))
        closed = panel.lid_is_closed
        while closed:
            await asyncio.sleep(self._pace.watch_every_s)
            closed = panel.lid_is_closed
        # A bus that hung may take a moment, and an expander that lost its registers says so for the last time:
        # somebody who has just repaired them and confirmed should not be asked again.
        for _ in range(_LOOKS):
            with suppress(BusHung, ChipForgot):
                await self._table.firmware.bank.look()
                return
            await asyncio.sleep(_BUS_BACK_S)

    async def _place(self, game: AnyGame, tiles: Iterable[TileId]) -> None:
        """Move tiles to their places in the game, except for those that a person has overridden."""
        wanted = targets(game.board, self._table.box)
        commands = [TileCommand(tile, wanted[tile]) for tile in tiles]
        try:
            self._note_moves(await self._execute(game, commands, wanted))
        except MotionFault as fault:
            self._note_moves(fault.arrived)
            with suppress(BoxFault):
                await self._find_strays(game)  # people see where the others have arrived
            raise

    async def _execute(
        self, game: AnyGame, commands: Sequence[TileCommand], wanted: Mapping[TileId, Position]
    ) -> Sequence[SensorReport]:
        await self._table.check_driven()
        bank = self._table.firmware.bank
        believed = self._overrides.apply(game, wanted, await bank.look()) if game.believed else {}
        for _ in range(_STANDSTILLS):
            try:
                return await bank.execute(commands, believed)
            except PulsesCut as cut:
                _log.warning("pulses were cut, driving again: %s", cut)
        return await bank.execute(commands, believed)

    def _note_moves(self, reports: Sequence[SensorReport]) -> None:
        if self._table.wear is not None:
            self._table.wear.note_moves(reports)

    def _make_fault(self, game: AnyGame, tile: TileId, seen: Position) -> BoxFault:
        kind = SensorDoubtful if seen is Position.UNKNOWN else TileMoved
        return kind(str(tile), expected=str(targets(game.board, self._table.box)[tile]), seen=str(seen))

    async def _find_lasting_strays(self, game: AnyGame) -> dict[TileId, Position]:
        """Return the tiles seen twice in the same wrong place, which leaves out those in mid-air.

        Tiles that the box itself has just released on their way were not moved by a hand, wherever they fall, and are
        moved back at once.
        """
        first = await self._find_strays(game)
        if first:
            await asyncio.sleep(_AGAIN_S)
            again = await self._find_strays(game)
            first = {tile: seen for tile, seen in again.items() if first.get(tile) == seen}
        bank = self._table.firmware.bank
        own = [tile for tile in first if bank.has_just_let_go(tile)]
        if own:
            _log.info("tiles released on their way, driving back tiles=%s", _join_names(own))
            await self._place(game, own)
        return {tile: seen for tile, seen in first.items() if tile not in own}

    async def _find_settled_strays(self, game: AnyGame) -> dict[TileId, Position]:
        """Return the tiles in wrong places once two looks in a row agree, or after many looks."""
        strayed = await self._find_strays(game)
        for _ in range(_MOST_AGAIN):
            if not strayed:
                break
            await asyncio.sleep(_AGAIN_S)
            before, strayed = strayed, await self._find_strays(game)
            if strayed == before:
                break
        return strayed

    def _list_found(self, game: AnyGame, strayed: Mapping[TileId, Position]) -> tuple[FoundTile, ...]:
        wanted = targets(game.board, self._table.box)
        return tuple(FoundTile(str(tile), wanted[tile], seen) for tile, seen in strayed.items())

    async def _find_strays(self, game: AnyGame) -> dict[TileId, Position]:
        """Return the tiles in wrong places, with where they are, except for overridden ones."""
        seen = await self._table.firmware.bank.look()
        self._observations.note(tiles={str(tile): place for tile, place in seen.items()})
        wanted = targets(game.board, self._table.box)
        believed = self._overrides.apply(game, wanted, seen)
        return {tile: seen[tile] for tile, target in wanted.items() if seen[tile] != target and tile not in believed}


def _join_names(tiles: Iterable[TileId]) -> str:
    return ", ".join(map(str, tiles))
