"""Which jobs each phase asks for, run as long as it lasts: move tiles, see a throw, let the house choose.

Whatever comes of them goes to the referee as a command, like anybody else's.
"""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from controller.box import Table, camera_reads
from controller.game import (
    AnyGame,
    AwaitingThrow,
    Choosing,
    Differing,
    Ended,
    Game,
    Halted,
    LeftOff,
    Moving,
    Parked,
    Race,
    ReportFault,
    TurnLost,
    describe_fault,
)
from controller.referee.jobs.lookout import Lookout
from controller.referee.jobs.opponent import Opponent
from controller.referee.jobs.outcomes import Deliver, Job, Notice
from controller.referee.jobs.overrides import Overrides
from controller.referee.jobs.race import RaceJobs
from controller.referee.jobs.throws import ask_to_type, see_throw
from controller.referee.jobs.tiles import TileJobs
from controller.settings import Pace
from firmware.errors import TileMoved
from hardware.errors import BoxFault, Fault

_log = logging.getLogger(__name__)

_HEALTH_EVERY_S = 60.0  # a computer may take seconds to answer, so it is not asked without end


@dataclass(frozen=True, slots=True)
class Moment:
    """The game as it is now, with the three things that no game knows and that decide what is due.

    thrown: somebody says that the dice lie there. dice_wanted: with how many a house player wants its throw, once it
    has said so. left_off: where a game was left off that was taken up, until its tiles have been compared with it.
    """

    game: AnyGame | None
    thrown: bool = False
    dice_wanted: int | None = None
    left_off: LeftOff | None = None


class Executor:
    """Everything that the box does by itself on one table.

    Jobs yield what comes of them and do not know where it goes: `deliver` takes it to the referee, and comes back once
    it has been dealt with, so that a job never runs ahead of the game.

    Lifetime: as long as the referee. Concurrency: one event loop; `do` by one task at a time, cancelled when the
    moment is over.
    """

    def __init__(self, table: Table, odds: Path | None, pace: Pace, deliver: Deliver, lookout: Lookout) -> None:
        self._table = table
        self._deliver = deliver
        self._lookout = lookout
        self._overrides = Overrides()
        self._tiles = TileJobs(table, pace, self._overrides, lookout)
        self._opponent = Opponent(odds, pace.house_thinks_s)
        self.race = RaceJobs(table, pace, lookout, self._tiles)

    async def do(self, moment: Moment) -> None:
        """Do what the phase says is due, and report the first fault that comes of it."""
        fault: Fault | None = None
        try:
            await self._compare_first(moment)
            async with asyncio.TaskGroup() as tasks:
                for job in self._jobs(moment):
                    tasks.create_task(job)
        except* BoxFault as faults:
            fault = _first_fault(faults).fault
        if fault is not None:
            await self._deliver(ReportFault(fault))

    async def _compare_first(self, moment: Moment) -> None:
        """In a game that was taken up, look at the tiles before anything moves them or counts."""
        game = moment.game
        if moment.left_off is None or game is None:
            return
        if not isinstance(game.phase, Halted | Parked | Differing | Ended):
            await self._run(self._tiles.compare(game, moment.left_off))

    def _jobs(self, moment: Moment) -> list[Coroutine[None, None, None]]:
        game, tiles, run = moment.game, self._tiles, self._run
        if game is None:
            return [run(self._let_go())]
        if isinstance(game.phase, Halted):
            self._note_fault(game.phase.fault)
            _log.info("halted, no tile is moved: %s", game.phase.fault)
        match game.phase:
            case Moving():
                return [run(tiles.move(game)), self._table.watcher.note_lying()]
            case Differing(found):
                return [run(tiles.wait_for_answer(game, found))]
            case Halted(fault) if fault.code == TileMoved.code:
                return [run(tiles.wait(game))]
            case Halted() | Parked() | Ended():
                # A game that rests for long: nothing needs a pulse, and a servo without one neither heats nor hums.
                return [run(self._let_go())]
        match game:
            case Game():
                return self._jobs_of_turn(game, moment)
            case Race():
                # Tiles that are moved as signs are nowhere in particular: they are looked at once they are back.
                watch = [] if game.signs else [tiles.watch(game)]
                return [*map(run, self.race.jobs(game)), *watch, run(self._watch_computer())]
        return [tiles.watch(game)]

    def _jobs_of_turn(self, game: Game, moment: Moment) -> list[Coroutine[None, None, None]]:
        tiles, run = self._tiles, self._run
        match game.phase:
            case AwaitingThrow():
                return [*self._throw_jobs(game, moment), tiles.watch(game), run(self._watch_computer())]
            case Choosing() if game.player.house:
                return [run(self._opponent.choose(game)), tiles.watch(game)]
            case TurnLost() if game.player.house:
                return [run(self._opponent.accept()), tiles.watch(game)]
            case Choosing():
                return [run(tiles.follow_hands(game)), self._table.watcher.note_lying()]
            case TurnLost():
                return [tiles.watch(game), self._table.watcher.note_lying()]
        return [run(self._let_go())]

    def _throw_jobs(self, game: Game, moment: Moment) -> list[Coroutine[None, None, None]]:
        if not camera_reads(game.rules, self._table):
            return [self._run(ask_to_type(game))]
        seeing = self._run(see_throw(self._table, game, self._lookout, thrown=moment.thrown))
        wishing = game.player.house and len(game.dice_allowed) > 1 and moment.dice_wanted is None
        return [self._run(self._opponent.wish(game)), seeing] if wishing else [seeing]

    async def _run(self, job: Job) -> None:
        """Deliver what a job yields. It is closed with the task that runs it: nobody finds it open later."""
        async with aclosing(job) as outcomes:
            async for outcome in outcomes:
                await self._deliver(outcome)

    def _note_fault(self, fault: Fault) -> None:
        if fault.kind == "bus":
            self._overrides.lose_sight()
        else:
            self._overrides.forget(fault.part)

    async def _let_go(self) -> Job:
        """Let go of all servos. Where the bus fails, /OE has stopped their pulses all the same: that is only told.

        It neither takes the place of the fault that people are asked about, nor keeps them from a pause or an end: what
        is still broken halts the game when its tiles move next.
        """
        fault = await self._table.firmware.bank.release()
        if fault is not None:
            yield Notice((describe_fault(fault.fault),), again=False)

    async def _watch_computer(self) -> Job:
        """Say so when the computer's supply sags or it gets too warm; the game goes on."""
        while True:
            faults = await self._table.firmware.computer.faults_now()
            if faults:
                yield Notice(tuple(map(describe_fault, faults)), again=False)
            await asyncio.sleep(_HEALTH_EVERY_S)


def _first_fault(faults: BaseExceptionGroup[BoxFault]) -> BoxFault:
    found = faults.exceptions[0]
    return _first_fault(found) if isinstance(found, BaseExceptionGroup) else found
