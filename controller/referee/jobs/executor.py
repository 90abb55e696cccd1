"""Run the jobs that each phase asks for: move tiles, see a throw, let the house choose.

Their outcomes go to the referee as commands, like those of people.
"""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from controller.box.table import Table, camera_reads
from controller.game.core.commands import ReportFault
from controller.game.core.engine import AnyGame
from controller.game.core.interruption import describe_fault
from controller.game.core.phases import Ended, Halted, Moving, Parked, TileMismatch
from controller.game.fleet.state import Race
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.game.table.resume_point import ResumePoint
from controller.referee.jobs.outcomes import Deliver, Job, Notice, Observations, Overrides
from controller.referee.jobs.race import RaceJobs
from controller.referee.jobs.tiles import TileJobs
from controller.referee.jobs.turn import Opponent, ask_to_type, see_throw
from controller.settings import Pace
from firmware.errors import TileMoved
from hardware.errors import BoxFault, Fault

_log = logging.getLogger(__name__)

_HEALTH_EVERY_S = 60.0  # a computer may take seconds to answer


@dataclass(frozen=True, slots=True)
class Moment:
    """The game now, with three facts outside it that decide what is due.

    thrown: somebody says that the dice lie there.
    dice_wanted: the number of dice that a house player has asked for.
    resume_point: after a start, where the game was interrupted, until its tiles have been compared with it.
    """

    game: AnyGame | None
    thrown: bool = False
    dice_wanted: int | None = None
    resume_point: ResumePoint | None = None


class Executor:
    """Does everything that the box does by itself on one table.

    Jobs yield outcomes without knowing where these go: `deliver` takes an outcome to the referee, and returns once it
    has been dealt with, so that a job never runs ahead of the game.

    Lifetime: as the table. Concurrency: one event loop; `do` by one task at a time, cancelled when the moment is over.
    """

    def __init__(
        self, table: Table, odds: Path | None, pace: Pace, deliver: Deliver, observations: Observations
    ) -> None:
        self._table = table
        self._deliver = deliver
        self._observations = observations
        self._overrides = Overrides()
        self._tiles = TileJobs(table, pace, self._overrides, observations)
        self._opponent = Opponent(odds, pace.house_thinks_s)
        self.race = RaceJobs(table, pace, observations, self._tiles)

    async def do(self, moment: Moment) -> None:
        """Do what the phase asks for, and report the first fault."""
        fault: Fault | None = None
        game = moment.game
        try:
            rests = game is None or isinstance(game.phase, Halted | Parked | TileMismatch | Ended)
            if game is not None and moment.resume_point is not None and not rests:
                # In a resumed game the tiles are compared before anything moves them or counts.
                await self._run(self._tiles.compare(game, moment.resume_point))
            async with asyncio.TaskGroup() as tasks:
                for job in self._jobs(moment):
                    tasks.create_task(job)
        except* BoxFault as faults:
            fault = _first_fault(faults).fault
        if fault is not None:
            await self._deliver(ReportFault(fault))

    def _jobs(self, moment: Moment) -> list[Coroutine[None, None, None]]:
        game, tiles, run = moment.game, self._tiles, self._run
        if game is None:
            return [run(self._let_go())]
        match game.phase:
            case Moving():
                return [run(tiles.move(game)), self._table.watcher.note_lying()]
            case TileMismatch(found):
                return [run(tiles.wait_for_answer(game, found))]
            case Halted(fault):
                _log.info("game halted, no tile moves fault=%s", fault)
                if fault.kind == "bus":
                    self._overrides.lose_sight()
                else:
                    self._overrides.forget(fault.part)
                return [run(tiles.wait(game) if fault.code == TileMoved.code else self._let_go())]
            case Parked() | Ended():
                # A game may rest for long: no tile needs a pulse, and a servo without one neither heats nor hums.
                return [run(self._let_go())]
        match game:
            case Game():
                return self._jobs_of_turn(game, moment)
            case Race():
                # Tiles that move as signs are in no place of the game until they are back.
                watch = [] if game.signs else [tiles.watch(game)]
                return [*map(run, self.race.jobs(game)), *watch, run(self._watch_computer())]
        return [tiles.watch(game)]

    def _jobs_of_turn(self, game: Game, moment: Moment) -> list[Coroutine[None, None, None]]:
        tiles, run = self._tiles, self._run
        match game.phase:
            case AwaitingThrow():
                others = [tiles.watch(game), run(self._watch_computer())]
                if game.player.remote:
                    return others
                if not camera_reads(game.rules, self._table):
                    return [run(ask_to_type(game)), *others]
                seeing = run(see_throw(self._table, game, self._observations, thrown=moment.thrown))
                if not game.player.house:
                    return [seeing, *others]
                throwing = self._opponent.throw(
                    game, moment.dice_wanted, thrown=moment.thrown, by_itself=self._table.simulated
                )
                return [run(throwing), seeing, *others]
            case Choosing() if game.player.house:
                return [run(self._opponent.choose(game)), tiles.watch(game)]
            case TurnLost() if game.player.house:
                return [run(self._opponent.accept()), tiles.watch(game)]
            case Choosing() if game.player.remote:
                return [tiles.watch(game), self._table.watcher.note_lying()]
            case Choosing():
                return [run(tiles.follow_hands(game)), self._table.watcher.note_lying()]
            case TurnLost():
                return [tiles.watch(game), self._table.watcher.note_lying()]
        return [run(self._let_go())]

    async def _run(self, job: Job) -> None:
        """Deliver the outcomes of a job, and close the job with the task that runs it."""
        async with aclosing(job) as outcomes:
            async for outcome in outcomes:
                await self._deliver(outcome)

    async def _let_go(self) -> Job:
        """Release all servos. If the bus fails, /OE has stopped their pulses anyway, and the failure is only shown.

        It neither replaces the fault that people are asked about, nor prevents a pause or an end: whatever is still
        broken halts the game when its tiles move next.
        """
        fault = await self._table.firmware.bank.release()
        if fault is not None:
            yield Notice((describe_fault(fault.fault),), again=False)

    async def _watch_computer(self) -> Job:
        """Show when the supply of the computer sags or it gets too warm; the game goes on."""
        while True:
            faults = await self._table.firmware.computer.faults_now()
            if faults:
                yield Notice(tuple(map(describe_fault, faults)), again=False)
            await asyncio.sleep(_HEALTH_EVERY_S)


def _first_fault(faults: BaseExceptionGroup[BoxFault]) -> BoxFault:
    found = faults.exceptions[0]
    return _first_fault(found) if isinstance(found, BaseExceptionGroup) else found
