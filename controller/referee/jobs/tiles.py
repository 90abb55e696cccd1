"""The jobs of the tiles: move them where the game has them, watch for strays, take moves made by hand.

What tipped tiles mean is decided in `controller.game.shutbox.hands`; how a tile is moved, in `firmware.tiles`.
"""

import asyncio
import logging
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress

from controller.box import Table, targets
from controller.game import (
    AnyGame,
    Choose,
    Complete,
    ConfirmTiles,
    FoundTile,
    Game,
    LeftOff,
    Meaning,
    Moving,
    ReportTiles,
    Unclear,
    Wrong,
    compose,
    describe_countdown,
    describe_meaning,
    meaning_of,
)
from controller.referee.jobs.lookout import Lookout
from controller.referee.jobs.outcomes import Compared, Job, Notice
from controller.referee.jobs.overrides import Overrides
from controller.settings import Pace
from firmware.errors import BusHung, ChipForgot, MotionFault, PulsesCut, SensorDoubtful, TileMoved
from firmware.messages import SensorReport, TileCommand
from hardware.errors import BoxFault
from hardware.tiles import Position, TileId

_log = logging.getLogger(__name__)

_STANDSTILLS = 2  # so often in one move; then it is no accident any more
# A kernel may hold a transfer for a second after the bus is free again, and what stands in line behind it is dropped.
_BUS_BACK_S = 0.7
_LOOKS = 2
_RESENDS = 2  # so often in one move; a hand that goes on flicking tiles is asked what it wants
_AGAIN_S = 0.03  # a tile that a hand moves is elsewhere after this time
_MOST_AGAIN = 100
_HAND_LEAVES_S = 1.0  # a tile is not put back into the fingers that have just tipped it


class TileJobs:
    """The jobs of the tiles on one table.

    All of them compare what the sensors show with what the game has, and take a person's word for a tile where it was
    given: that is why they share one `Overrides`. Lifetime: as the executor. Concurrency: one event loop.
    Raises: `BoxFault`.
    """

    def __init__(self, table: Table, pace: Pace, overrides: Overrides, lookout: Lookout) -> None:
        self._table = table
        self._pace = pace
        self._overrides = overrides
        self._lookout = lookout

    async def move(self, game: AnyGame) -> Job:
        """Bring every tile where the game has it, under an open lid: under a closed one no tile can stand."""
        async with aclosing(self._wait_for_box()) as outcomes:
            async for each in outcomes:
                yield each
        await self._bring(game, self._table.box.tile_ids)
        yield ConfirmTiles()

    async def prepare_signs(self, game: AnyGame) -> Job:
        """Wait for an open lid, and bring the tiles that a sign was cut off with where the game has them."""
        async with aclosing(self._wait_for_box()) as outcomes:
            async for each in outcomes:
                yield each
        await self.end_signs(game)

    async def tip(self, game: AnyGame, name: str) -> None:
        """Tip a tile away from where the game has it, as a sign; none that the box has not, or a person vouches for."""
        tile = next((tile for tile in self._table.box.tile_ids if str(tile) == name), None)
        if tile is None or name in game.believed:
            return
        wanted = dict(targets(game.board, self._table.box))
        wanted[tile] = Position.SHUT if wanted[tile] is Position.OPEN else Position.OPEN
        self._note_moves(await self._execute(game, [TileCommand(tile, wanted[tile])], wanted))
        await self._find_strays(game)  # people who look from elsewhere see it, too

    async def end_signs(self, game: AnyGame) -> None:
        """Bring all tiles that were tipped as signs where the game has them, at once."""
        await self._bring(game, await self._find_strays(game))

    async def _bring(self, game: AnyGame, tiles: Collection[TileId]) -> None:
        """Bring tiles where the game has them, those that stray meanwhile, too."""
        if tiles:
            await self._place(game, tiles)
        # A tile flicked by a hand while the others moved is not where it arrived. Only a look at all of them confirms.
        strayed = await self._find_strays(game)
        for _ in range(_RESENDS):
            if strayed:
                _log.info("moved by a hand meanwhile, sent again: %s", _join_names(strayed))
                await self._place(game, strayed)
                strayed = await self._find_strays(game)
        for tile, seen in strayed.items():
            raise self._make_fault(game, tile, seen)

    async def compare(self, game: AnyGame, left_off: LeftOff) -> Job:
        """Look where the tiles of a game are that was taken up: all are told that differ, if one was moved meanwhile.

        Those that the box itself was moving are no matter for a question: they are named, and brought there.
        """
        async with aclosing(self._wait_for_box()) as outcomes:
            async for each in outcomes:
                yield each
        strayed = await self._find_settled_strays(game)
        untold = [str(tile) for tile in strayed if str(tile) not in left_off.told]
        on_their_way = isinstance(game.phase, Moving) or game.signs
        if untold and not (on_their_way and left_off.moving.issuperset(untold)):
            _log.info("elsewhere than the game has them, somebody is asked: %s", _join_names(strayed))
            yield ReportTiles(self._list_found(game, strayed))
            return
        if untold:
            yield Notice((compose("tiles.brought", tiles=tuple(untold)),))
        yield Compared()

    async def wait_for_answer(self, game: AnyGame, told: Sequence[FoundTile]) -> Job:
        """Watch the tiles that people are asked about: tell anew what has changed, and go on once all are right."""
        while strayed := await self._find_settled_strays(game):
            found = self._list_found(game, strayed)
            if found != tuple(told):
                yield ReportTiles(found)
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
        yield ConfirmTiles()

    async def watch(self, game: AnyGame) -> None:
        """Raise `TileMoved` when a tile is seen elsewhere than the game has it."""
        while True:
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
            for tile, seen in (await self._find_lasting_strays(game)).items():
                raise self._make_fault(game, tile, seen)

    async def wait(self, game: AnyGame) -> Job:
        """Wait for a tile that was moved: somebody may put it back by hand, and the game goes on by itself."""
        strayed = await self._find_strays(game)
        if strayed:
            _log.info("no tile is moved until these are put back or somebody confirms: %s", _join_names(strayed))
        while strayed:
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
            strayed = await self._find_strays(game)
        yield ConfirmTiles()

    async def follow_hands(self, game: Game) -> Job:
        """Take the tiles that a hand tips as the player's choice, once they make a move and stay; undo others."""
        while True:
            await self._table.firmware.bank.wait_for_change(self._pace.watch_every_s)
            meant = meaning_of(game, await self._find_lasting_strays(game))
            async with aclosing(self._answer_hands(game, meant)) as outcomes:
                async for each in outcomes:
                    yield each

    async def _wait_for_box(self) -> Job:
        """Wait until the lid is open and the bus answers, as far as it does."""
        panel = self._table.firmware.panel
        if panel.lid_is_closed:
            _log.info("the lid is closed: no tile moves until it is open")
            yield Notice((compose("lid.closed"),))
        closed = panel.lid_is_closed
        while closed:
            await asyncio.sleep(self._pace.watch_every_s)
            closed = panel.lid_is_closed
        await self._wait_for_bus()

    async def _wait_for_bus(self) -> None:
        """Give a bus that hung time to come back, and an expander that lost its registers before it was mended, for the
        last time, another look: whoever has just mended them and confirmed should not be asked again.
        """
        for _ in range(_LOOKS):
            with suppress(BusHung, ChipForgot):
                await self._table.firmware.bank.look()
                return
            await asyncio.sleep(_BUS_BACK_S)

    async def _answer_hands(self, game: Game, meant: Meaning) -> Job:
        if isinstance(meant, Complete):
            loop = asyncio.get_running_loop()
            due_s = loop.time() + self._pace.hand_countdown_s
            try:
                # In whole milliseconds: two seconds in floats may be a hair longer, and would be counted from three.
                while (left_s := round(due_s - loop.time(), 3)) > 0:
                    # The player sees what will be taken, and may take it back.
                    self._lookout.note(countdown_s=math.ceil(left_s))
                    yield Notice((describe_countdown(meant, math.ceil(left_s)),), again=False)
                    await self._table.firmware.bank.wait_for_change(
                        min(left_s, left_s % 1.0 or 1.0, self._pace.watch_every_s)
                    )
                    if meaning_of(game, await self._find_strays(game)) != meant:
                        return
            finally:
                # A pause, a choice by another door or a fault ends it too.
                self._lookout.note(countdown_s=None)
            yield Choose(meant.tiles)
        elif isinstance(meant, Unclear) and meant.seen is Position.UNKNOWN:
            raise self._make_fault(game, meant.tile, meant.seen)
        else:
            yield Notice(describe_meaning(game, meant), again=False)
            if isinstance(meant, Wrong):
                await self._undo(game)

    async def _undo(self, game: Game) -> None:
        """Give the hand time to leave, and put back what is still wrong then."""
        await asyncio.sleep(_HAND_LEAVES_S)
        now = meaning_of(game, await self._find_lasting_strays(game))
        if isinstance(now, Wrong):
            _log.info("part of no move, put back: %s", _join_names(now.tiles))
            await self._place(game, now.tiles)
        else:
            _log.info("nothing is put back: the hand has done it")

    async def _place(self, game: AnyGame, tiles: Iterable[TileId]) -> None:
        """Bring tiles where the game has them; those that a person vouches for are left alone.

        After a time in which this process stood still, once more from the first look on.
        """
        wanted = targets(game.board, self._table.box)
        commands = [TileCommand(tile, wanted[tile]) for tile in tiles]
        try:
            self._note_moves(await self._execute(game, commands, wanted))
        except MotionFault as fault:
            self._note_moves(fault.arrived)
            with suppress(BoxFault):
                await self._find_strays(game)  # people see where the others have come to
            raise

    async def _execute(
        self, game: AnyGame, commands: Sequence[TileCommand], wanted: Mapping[TileId, Position]
    ) -> Sequence[SensorReport]:
        bank = self._table.firmware.bank
        believed = self._overrides.apply(game, wanted, await bank.look()) if game.believed else {}
        for _ in range(_STANDSTILLS):
            try:
                return await bank.execute(commands, believed)
            except PulsesCut as cut:
                _log.warning("the tiles are looked at and moved again: %s", cut)
        return await bank.execute(commands, believed)

    def _note_moves(self, reports: Sequence[SensorReport]) -> None:
        """Note what moved in the book of the tiles."""
        if self._table.wear is not None:
            self._table.wear.note_moves(reports)

    def _make_fault(self, game: AnyGame, tile: TileId, seen: Position) -> BoxFault:
        kind = SensorDoubtful if seen is Position.UNKNOWN else TileMoved
        return kind(str(tile), expected=str(targets(game.board, self._table.box)[tile]), seen=str(seen))

    async def _find_lasting_strays(self, game: AnyGame) -> dict[TileId, Position]:
        """The tiles that are seen elsewhere than the game has them, twice at the same place: not those in mid-air.

        Those that the box itself has just let go on their way are no hand's doing, and are brought back at once.
        """
        first = await self._find_strays(game)
        if first:
            await asyncio.sleep(_AGAIN_S)
            again = await self._find_strays(game)
            first = {tile: seen for tile, seen in again.items() if first.get(tile) == seen}
        own = [tile for tile, seen in first.items() if seen is Position.BETWEEN and self._has_let_go(tile)]
        if own:
            _log.info("let go on their way, brought back: %s", _join_names(own))
            await self._place(game, own)
        return {tile: seen for tile, seen in first.items() if tile not in own}

    async def _find_settled_strays(self, game: AnyGame) -> dict[TileId, Position]:
        """The tiles that are seen elsewhere than the game has them, as two looks in a row show all of them.

        One that does not come to rest is not waited for without end.
        """
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

    def _has_let_go(self, tile: TileId) -> bool:
        return self._table.firmware.bank.has_just_let_go(tile)

    async def _find_strays(self, game: AnyGame) -> dict[TileId, Position]:
        """The tiles seen elsewhere than the game has them, with where; not those that a person vouches for."""
        seen = await self._table.firmware.bank.look()
        self._lookout.note(tiles={str(tile): place for tile, place in seen.items()})
        wanted = targets(game.board, self._table.box)
        believed = self._overrides.apply(game, wanted, seen)
        return {tile: seen[tile] for tile, target in wanted.items() if seen[tile] != target and tile not in believed}


def _join_names(tiles: Iterable[TileId]) -> str:
    return ", ".join(map(str, tiles))
