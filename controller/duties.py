"""What is due in each phase, done for as long as it lasts: tiles on their way, a throw to be seen, the house to choose.

Whatever comes of it goes to the referee as a command, like anybody else's.
"""

import asyncio
import logging
import math
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from controller.commands import Choose, Command, Confirm, ConfirmTiles, ReportFault, TakeThrow
from controller.game import Game
from controller.hands import Complete, Unclear, Wrong, meaning_of
from controller.house import House
from controller.narration import describe_countdown, describe_meaning
from controller.phases import AwaitingThrow, Choosing, Halted, Moving, TurnLost
from controller.settings import Pace
from controller.table import Table, camera_reads, targets, unreadable_notice
from controller.thinking import Thinker
from controller.vouched import Vouched
from firmware.errors import MotionFault, PulsesCut, SensorDoubtful, TileMoved
from firmware.messages import SensorReport, TileCommand
from hardware.errors import BoxFault, Fault
from hardware.tiles import Position, TileId
from vision.reading import Reading, Reason

Thought = TypeVar("Thought")

_log = logging.getLogger(__name__)

_STANDSTILLS = 2  # so often in one move; then it is no accident any more
_HEALTH_EVERY_S = 60.0
_AGAIN_S = 0.03  # a tile that a hand moves is elsewhere after this time
_HAND_LEAVES_S = 1.0
_PATIENCE_S = 2.0  # a house player may think so long without a word
# No throw has been seen at all: the dice are still in the hand, or the camera will soon raise its fault.
_NOT_YET = (Reason.NO_DICE, Reason.NO_FIELD, Reason.DARK)


class Desk(Protocol):
    """The referee, as far as the duties need it."""

    @property
    def notice(self) -> str:
        """What came up last."""

    def publish(self, *, notice: str) -> None:
        """Tell everybody."""

    def wish(self, dice: int) -> None:
        """Tell everybody with how many dice the house player at turn wants to throw."""

    async def see_to_it(self, command: Command) -> None:
        """Have a command carried out; void if something else happens first."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The game as it is now; whether somebody says that the dice are thrown; what a house player wished already."""

    game: Game | None
    thrown: bool = False
    dice_wanted: int | None = None


class Duties:
    """Everything that the box does by itself on one table.

    Lifetime: as long as the referee. Concurrency: one event loop; `do` by one task at a time, cancelled when the
    moment is over.
    """

    def __init__(self, table: Table, house: House, pace: Pace, desk: Desk) -> None:
        self._table = table
        self._house = house
        self._pace = pace
        self._desk = desk
        self._thinker = Thinker()
        self._vouched = Vouched()

    async def do(self, moment: Moment) -> None:
        """Do what the phase says is due, and report the first fault that comes of it."""
        fault: Fault | None = None
        try:
            async with asyncio.TaskGroup() as tasks:
                for job in self._jobs(moment):
                    tasks.create_task(job)
        except* BoxFault as faults:
            fault = _first(faults).fault
        if fault is not None:
            await self._desk.see_to_it(ReportFault(fault))

    def _jobs(self, moment: Moment) -> list[Coroutine[None, None, None]]:
        game = moment.game
        if game is None:
            return [self._table.firmware.bank.release()]
        if isinstance(game.phase, Halted):
            self._vouched.doubted(game.phase.fault.part)
        match game.phase:
            case Moving():
                return [self._move_tiles(game), self._table.watcher.note_lying()]
            case AwaitingThrow():
                return [*self._until_thrown(game, moment), self._watch_tiles(game), self._watch_computer()]
            case Choosing() if game.player.house:
                return [self._house_chooses(game), self._watch_tiles(game)]
            case TurnLost() if game.player.house:
                return [self._house_confirms(), self._watch_tiles(game)]
            case Choosing():
                return [self._hands_choose(game), self._table.watcher.note_lying()]
            case TurnLost():
                return [self._watch_tiles(game), self._table.watcher.note_lying()]
            case Halted(fault) if fault.code == TileMoved.code:
                return [self._wait_for_tiles(game)]
        # A game that rests for long: nothing needs a pulse.
        return [self._table.firmware.bank.release()]

    def _until_thrown(self, game: Game, moment: Moment) -> list[Coroutine[None, None, None]]:
        if not camera_reads(game.rules, self._table.sides):
            return [self._ask_to_type(game)]
        seeing = self._see_throw(game, thrown=moment.thrown)
        wishing = game.player.house and len(game.dice_allowed) > 1 and moment.dice_wanted is None
        return [self._house_wishes(game), seeing] if wishing else [seeing]

    async def _move_tiles(self, game: Game) -> None:
        await self._lid_is_open()
        await self._place(game, self._table.box.tile_ids)
        # A tile flicked by a hand while the others moved is not where it arrived.
        strayed = await self._strayed(game)
        if strayed:
            await self._place(game, strayed)
        await self._desk.see_to_it(ConfirmTiles())

    async def _place(self, game: Game, tiles: Iterable[TileId]) -> None:
        """Bring tiles where the game has them; those that a person vouches for are left alone.

        After a time in which this process stood still, once more from the first look on.
        """
        wanted = targets(game.board, self._table.box)
        commands = [TileCommand(tile, wanted[tile]) for tile in tiles]
        try:
            self._note(await self._execute(game, commands, wanted))
        except MotionFault as fault:
            self._note(fault.arrived)
            raise

    async def _execute(
        self, game: Game, commands: Sequence[TileCommand], wanted: Mapping[TileId, Position]
    ) -> Sequence[SensorReport]:
        bank = self._table.firmware.bank
        believed = self._vouched.held(game, wanted, await bank.look()) if game.believed else {}
        for _ in range(_STANDSTILLS):
            try:
                return await bank.execute(commands, believed)
            except PulsesCut as cut:
                _log.warning("the tiles are looked at and moved again: %s", cut)
        return await bank.execute(commands, believed)

    def _note(self, reports: Sequence[SensorReport]) -> None:
        """What moved, in the book of the tiles."""
        if self._table.wear is not None:
            self._table.wear.moved(reports)

    async def _lid_is_open(self) -> None:
        """Wait for an open lid: under a closed one no tile can stand."""
        panel = self._table.firmware.panel
        if panel.lid_is_closed:
            self._desk.publish(notice="Open the lid, then the tiles move.")
        closed = panel.lid_is_closed
        while closed:
            await asyncio.sleep(self._pace.watch_every_s)
            closed = panel.lid_is_closed

    async def _see_throw(self, game: Game, *, thrown: bool) -> None:
        """Wait for a throw that can be read; say why one cannot."""
        watcher, allowed = self._table.watcher, game.dice_allowed
        reading = await (watcher.look_now(allowed) if thrown else watcher.next_throw(allowed))
        while not reading.is_read:
            if reading.reason not in _NOT_YET:
                self._desk.publish(notice=reading.say)
            reading = await watcher.next_throw(allowed)
        await self._desk.see_to_it(throw_from(reading))

    async def _ask_to_type(self, game: Game) -> None:
        """The camera reads the dice it knows only; people read the others."""
        self._desk.publish(notice=unreadable_notice(game.rules))

    async def _house_wishes(self, game: Game) -> None:
        """Say with how many dice a house player wants his throw made."""
        self._desk.wish(await self._thought(self._house.dice, game))

    async def _house_chooses(self, game: Game) -> None:
        await asyncio.sleep(self._pace.house_thinks_s)
        decision = await self._thought(self._house.choose, game)
        await self._desk.see_to_it(Choose(decision.tiles, decision.why))

    async def _thought(self, question: Callable[[Game], Thought], game: Game) -> Thought:
        """Ask the house away from the loop; the odds of a big game take their time at first, and that is told."""
        thinking = asyncio.ensure_future(self._thinker.ask(question, game))
        before, while_ = self._desk.notice, f"{game.player.name} works out the odds; the first time takes a while."
        try:
            await asyncio.wait([thinking], timeout=_PATIENCE_S)
            if not thinking.done():
                self._desk.publish(notice=while_)
            thought = await thinking
        finally:
            thinking.cancel()
        if self._desk.notice == while_:
            self._desk.publish(notice=before)
        return thought

    async def _house_confirms(self) -> None:
        await asyncio.sleep(self._pace.house_thinks_s)
        await self._desk.see_to_it(Confirm())

    async def _watch_tiles(self, game: Game) -> None:
        """Raise `TileMoved` when a tile is seen elsewhere than the game has it."""
        while True:
            await self._table.firmware.bank.change(self._pace.watch_every_s)
            for tile, seen in (await self._strayed_for_good(game)).items():
                raise self._moved(game, tile, seen)

    async def _watch_computer(self) -> None:
        """Say so when the computer's supply sags or it gets too warm; the game goes on."""
        while True:
            faults = await self._table.firmware.health.now()
            if faults:
                self._say(" ".join(map(str, faults)))
            await asyncio.sleep(_HEALTH_EVERY_S)

    def _moved(self, game: Game, tile: TileId, seen: Position) -> BoxFault:
        kind = SensorDoubtful if seen is Position.UNKNOWN else TileMoved
        return kind(str(tile), expected=str(targets(game.board, self._table.box)[tile]), seen=str(seen))

    async def _hands_choose(self, game: Game) -> None:
        """Take the tiles that a hand tips as the player's choice, once they make a move and stay; undo others."""
        while True:
            await self._table.firmware.bank.change(self._pace.watch_every_s)
            meant = meaning_of(game, await self._strayed_for_good(game))
            if isinstance(meant, Complete):
                await self._take_after_countdown(game, meant)
            elif isinstance(meant, Wrong):
                await self._undo(game, meant)
            elif isinstance(meant, Unclear) and meant.seen is Position.UNKNOWN:
                raise self._moved(game, meant.tile, meant.seen)
            else:
                self._say(describe_meaning(game, meant))

    async def _take_after_countdown(self, game: Game, meant: Complete) -> None:
        """Let the player see what will be taken, and take it back."""
        loop = asyncio.get_running_loop()
        due_s = loop.time() + self._pace.hand_countdown_s
        while (left_s := due_s - loop.time()) > 0:
            self._say(describe_countdown(meant, math.ceil(left_s)))
            await self._table.firmware.bank.change(min(left_s, left_s % 1.0 or 1.0, self._pace.watch_every_s))
            if meaning_of(game, await self._strayed(game)) != meant:
                return
        await self._desk.see_to_it(Choose(meant.tiles))

    async def _undo(self, game: Game, meant: Wrong) -> None:
        """Say what is wrong, give the hand time to leave, and put the tiles back."""
        self._say(describe_meaning(game, meant))
        await asyncio.sleep(_HAND_LEAVES_S)
        now = meaning_of(game, await self._strayed_for_good(game))
        if isinstance(now, Wrong):
            await self._place(game, now.tiles)

    def _say(self, notice: str) -> None:
        if notice != self._desk.notice:
            self._desk.publish(notice=notice)

    async def _wait_for_tiles(self, game: Game) -> None:
        """Somebody may put the tile back by hand; then the game goes on by itself."""
        strayed = await self._strayed(game)
        while strayed:
            await self._table.firmware.bank.change(self._pace.watch_every_s)
            strayed = await self._strayed(game)
        await self._desk.see_to_it(ConfirmTiles())

    async def _strayed_for_good(self, game: Game) -> dict[TileId, Position]:
        """Where tiles are that are seen elsewhere than the game has them, and seen there again a moment later."""
        first = await self._strayed(game)
        if first:
            await asyncio.sleep(_AGAIN_S)
            again = await self._strayed(game)
            first = {tile: seen for tile, seen in again.items() if first.get(tile) == seen}
        return first

    async def _strayed(self, game: Game) -> dict[TileId, Position]:
        seen = await self._table.firmware.bank.look()
        wanted = targets(game.board, self._table.box)
        held = self._vouched.held(game, wanted, seen)
        return {tile: seen[tile] for tile, target in wanted.items() if seen[tile] != target and tile not in held}


def throw_from(reading: Reading) -> TakeThrow:
    """An opinion becomes a fact: the one place where a reading turns into a throw."""
    return TakeThrow(reading.values, "camera")


def _first(faults: BaseExceptionGroup[BoxFault]) -> BoxFault:
    found = faults.exceptions[0]
    return _first(found) if isinstance(found, BaseExceptionGroup) else found
