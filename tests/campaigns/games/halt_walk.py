"""A walk through a halt: a fault strikes in a phase of a game, is lifted or not, and people give one answer.

All of it happens on the simulated box, under referee and panel as a daemon runs them. Dice are typed.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.box.faults import apply_faults
from controller.box.simulated import open_table_on
from controller.box.table import targets
from controller.errors import NotNow
from controller.game.core.commands import Abandon, Believe, Command, GoOn, Park, ReportFault, StartGame, TryAgain, Undo
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, CorrectThrow, EndTurn, TakeThrow
from controller.game.table.snapshot import Snapshot, agreed_command
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from controller.referee.panel import serve_panel
from controller.referee.referee import Referee, run_referee
from controller.runtime.threads import run_in_background
from controller.settings import Pace
from firmware.errors import HardwareFault
from hardware.box import load_box
from hardware.errors import BoxFault, Fault
from hardware.sim.faults import FAULTS
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.campaigns.games.typed_dice import with_typed_dice
from vision.errors import CameraFault

_BOX = load_box("two-level-9")
_PLAYERS = (Player("Ann"), Player("Bea"))
_MOVED, _TIPPED = TileId.parse("front-8"), TileId.parse("front-7")  # by the box in a move, and by a hand
_LID = "lid:closed"

_SHOWS_S = 20.0  # a fault that has not halted the game after so long at the box does not halt this phase
_RESTS_S = 60.0  # a game whose fault is gone is at rest again by then
_AWHILE_S = 5.0  # what a game does by itself it has begun by then
_ON_ITS_WAY_S = 0.1  # a tile that is driven is half way by then
_MOST_EVENTS = 8  # of a game until it rests: the end of a turn, a pause and two halts are no more; more are a loop

# The commands that lead from the first throw into each phase; in `starting` the fault is there before the game.
_STEPS: Mapping[str, tuple[Command, ...]] = {
    "starting": (),
    "awaiting_throw": (),
    "choosing": (TakeThrow((5, 3)),),
    "turn_lost": (TakeThrow((4, 3)),),
    "moving": (TakeThrow((5, 3)),),
    "on its way": (TakeThrow((5, 3)),),
    "parked": (Park(),),
}
_BEFORE = ("", _LID, "contradiction:front-7", "bus:hung")
_COURSES = ("lifted", "not lifted", "lifted while away", "restarted amid it")
_COMMANDS: Mapping[str, Command] = {
    "try_again": TryAgain(),
    "believe": Believe(),
    "end_turn": EndTurn(),
    "dice": TakeThrow((5, 3)),
    "correct": CorrectThrow((5, 3)),
    "undo": Undo(vouched=True),
    "park": Park(),
    "abandon": Abandon(),
}
_OTHER_ANSWERS = ("by hand", "lid", "nothing")
_MAY_BE_NONE = ("dice", "correct", "by hand", "nothing")  # they need not be taken for an answer


def _by_code(error: type[BoxFault]) -> dict[str, type[BoxFault]]:
    """Every fault of this tree that is ever raised: those that no other stands below."""
    kinds = error.__subclasses__()
    return {code: each for kind in kinds for code, each in _by_code(kind).items()} if kinds else {error.code: error}


# Faults that are reported though nothing is broken: some need a guard, or a machine, that no simulated box has.
# The calibration was read, and the header's lines were claimed, at the start; nobody changes a servo for another kind.
_AT_THE_START = ("calibration", "busy", "header", "holds")
_REPORTED = _by_code(HardwareFault) | _by_code(CameraFault)


@dataclass(frozen=True, slots=True)
class Halt:
    """A way into a halt.

    fault: as the command line takes it, or `hand` (a tile is tipped), or the code of one that is only reported. phase:
    when it strikes. before: what was broken in that phase before. course: whether all is lifted by the time of the
    answer, and whether the daemon was started again until then.
    """

    phase: str
    fault: str
    before: str
    course: str


@dataclass(slots=True)
class Way:
    """The way that a game took through a halt: which (empty: none), what could be answered, what was, the phases it
    came through then, and what is wrong with it.
    """

    into: Halt
    answer: str
    halt: str = ""
    answers: tuple[str, ...] = ()
    then: list[str] = field(default_factory=list)
    problem: str = ""

    def __str__(self) -> str:
        into = self.into
        before = f" after {into.before}" if into.before else ""
        offered = "/".join(self.answers)
        return (
            f"{into.fault} in {into.phase}{before}, {into.course}: {self.halt or 'no halt'} ({offered}), "
            f"{self.answer}: {', '.join(self.then)}; {self.problem or 'goes on'}"
        )


def every_halt() -> Iterator[Halt]:
    """Every fault in every phase, after everything, on every course; those that are only reported once in each."""
    parts = {kind.name: list(kind.parts(_BOX)) for kind in FAULTS.values() if kind.name not in _AT_THE_START}
    for phase in _STEPS:
        for fault in ("hand", *(f"{name}:{part}" for name, each in parts.items() for part in _some(each))):
            for before in _BEFORE:
                for course in _COURSES:
                    yield Halt(phase, fault, before, course)
        for code in _REPORTED:
            yield Halt(phase, code, "", "lifted")


async def walk_all_answers(into: Halt) -> list[Way]:
    """Every way through a halt, one for each answer that it takes."""
    first = await walk(into, "try_again")
    if not first.halt:
        return [first]
    others = [answer for answer in (*_COMMANDS, *_OTHER_ANSWERS) if answer != "try_again" and _is_taken(first, answer)]
    return [first, *[await walk(into, answer) for answer in others]]


async def walk(into: Halt, answer: str) -> Way:
    """Play a game into a halt, answer it, and play on; what is wrong with that is said in the way."""
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.sqlite3") as journal:
        return await _Walk(into, answer, journal).run()


class _NoWayOnError(Exception):
    """A game that does not go on as it should."""


class _Walk:
    """One game on one simulated box."""

    def __init__(self, into: Halt, answer: str, journal: Journal) -> None:
        self._into = into
        self._journal = journal
        self._way = Way(into, answer)
        self._world = World(_BOX, asyncio.get_running_loop().time, 1)

    async def run(self) -> Way:
        """Play it, and find what is wrong with it."""
        try:
            await self._play()
        except _NoWayOnError as error:
            self._way.problem = str(error)
        return self._way

    async def _play(self) -> None:
        async with self._daemon() as referee:
            await self._strike(referee)
            halted = await self._find_halt(referee)
            if halted is None or halted.fault is None:
                return
            self._way.halt = f"{halted.fault.code} {halted.fault.part}"
            self._way.answers = tuple(action.kind for action in halted.actions)
            if self._into.course in ("lifted", "not lifted"):
                await self._go_on(referee)
                return
        if self._into.course == "lifted while away":
            self._lift()
        async with self._daemon() as referee:
            await self._go_on(referee)

    @asynccontextmanager
    async def _daemon(self) -> AsyncIterator[Referee]:
        async with (
            open_table_on(self._world, _BOX) as table,
            run_referee(with_typed_dice(table, self._world), self._journal, Pace()) as referee,
            run_in_background(serve_panel(table.firmware.panel, referee)),
        ):
            yield referee

    async def _strike(self, referee: Referee) -> None:
        """Play up to the phase; what was broken before strikes there first, then the fault."""
        into = self._into
        if into.phase == "starting":
            self._world.hand_moves(_MOVED, Position.SHUT)
            self._break(into.before)
            self._break(into.fault)
        await referee.ask(_new_game(into.phase))
        if into.phase != "starting":
            await self._play_into_phase(referee)
            self._break(into.fault)
        if into.fault in _REPORTED:
            await referee.ask(ReportFault(_reported(into.fault)))
        if into.phase == "moving":
            await _ask(referee, Choose((str(_MOVED),)))
        if referee.snapshot.phase == "parked":
            await _ask(referee, GoOn())

    async def _play_into_phase(self, referee: Referee) -> None:
        into = self._into
        await self._rest(referee)
        for command in _STEPS[into.phase]:
            await referee.ask(command)
        if into.before:
            self._break(into.before)
            await asyncio.sleep(_AWHILE_S)
        if into.phase == "on its way":
            await _ask(referee, Choose((str(_MOVED),)))
            await asyncio.sleep(_ON_ITS_WAY_S)

    def _break(self, fault: str) -> None:
        if fault == "hand":
            with suppress(ValueError):
                self._world.hand_moves(_TIPPED, Position.SHUT)
        elif fault and fault not in _REPORTED and fault not in self._world.faults:
            apply_faults(self._world, [fault])

    async def _find_halt(self, referee: Referee) -> Snapshot | None:
        """The halt that comes of it, if need be once the lid is open. None if none does: then the game goes on."""
        halted = await _wait_for_halt(referee)
        if halted is None and _LID in self._world.faults:
            self._world.lift(_LID)
            await _agree(referee)
            halted = await _wait_for_halt(referee)
        if halted is None:
            self._lift()
            # A tile may have been left where only a lying sensor had it, or the game may wait for the end of a pause.
            if await self._rest(referee) in ("halted", "parked"):
                await _agree(referee)
            await self._play_on(referee)
        return halted

    async def _go_on(self, referee: Referee) -> None:
        """Answer; if the fault is still there, lift it after that and confirm; and play on."""
        if self._into.course == "lifted":
            self._lift()
        is_lifted = self._into.course in ("lifted", "lifted while away")
        await self._give_answer(referee)
        phase = await self._rest(referee)
        if self._way.answer == "abandon" and phase != "ended":
            raise _NoWayOnError("the game cannot be given up")
        if not is_lifted:
            self._lift()
        # A pause is ended by a person, and so is a halt that nobody has answered, or whose fault was still there.
        if phase == "parked" or (phase == "halted" and (not is_lifted or self._way.answer in _MAY_BE_NONE)):
            await _agree(referee)
        await self._play_on(referee)

    async def _give_answer(self, referee: Referee) -> None:
        answer = self._way.answer
        if answer == "lid":
            self._world.close_lid()
            await asyncio.sleep(_AWHILE_S)
            if _LID not in self._world.faults:
                self._world.open_lid()
        # Somebody honest vouches only for a tile that is where it should be.
        if answer in ("by hand", "believe") and not self._put_back() and answer == "believe":
            answer = "try_again"
        if answer in _COMMANDS:
            await _ask(referee, _COMMANDS[answer])

    def _put_back(self) -> bool:
        """A hand puts every tile that gives way where the game has it; True if all are there."""
        # Shutting goes front to back.
        for tile, target in self._misplaced():
            with suppress(ValueError):
                self._world.hand_moves(tile, target)
        return not self._misplaced()

    def _misplaced(self) -> list[tuple[TileId, Position]]:
        """The tiles that are not where the game has them, with where it has them."""
        game = replay_checked(self._journal.entries(self._journal.game_ids()[-1]))
        wanted = targets(game.board, _BOX) if game is not None else {}
        return [(tile, target) for tile, target in wanted.items() if self._world.position(tile) is not target]

    def _lift(self) -> None:
        self._world.lift()
        self._world.open_lid()

    async def _rest(self, referee: Referee) -> PhaseName:
        """The phase that the game rests in, a while after it has moved its tiles."""
        events = referee.snapshot.event
        with suppress(TimeoutError):
            async with asyncio.timeout(_RESTS_S), referee.watch() as snapshots:
                while referee.snapshot.phase == "moving":
                    await snapshots.get()
        await asyncio.sleep(_AWHILE_S)
        self._way.then.append(referee.snapshot.phase)
        if referee.snapshot.event - events > _MOST_EVENTS:
            raise _NoWayOnError(f"{referee.snapshot.event - events} events by itself")
        return referee.snapshot.phase

    async def _play_on(self, referee: Referee) -> None:
        """With nothing broken any more the game comes to rest with its tiles in place, and takes one step more."""
        phase = await self._rest(referee)
        if phase == "differing":
            # A hand was at a tile while the daemon was away.
            await _agree(referee)
            phase = await self._rest(referee)
        self._check(referee, phase)
        match phase:
            case "awaiting_throw":
                await referee.ask(TakeThrow((1, 1)))
            case "choosing":
                await referee.ask(Choose(referee.snapshot.moves[0]))
            case "turn_lost":
                await _agree(referee)
            case "ended":
                await referee.ask(_new_game(self._into.phase))
        self._check(referee, await self._rest(referee))

    def _check(self, referee: Referee, phase: PhaseName) -> None:
        if phase in ("halted", "parked", "differing", "moving"):
            raise _NoWayOnError(f"with nothing broken any more it is {phase}: {referee.snapshot.say}")
        # Who is choosing may have tipped a part of a move.
        if phase in ("choosing", "ended"):
            return
        for tile, target in self._misplaced():
            raise _NoWayOnError(f"{tile} is {self._world.position(tile)}, and the game has it {target}")


async def _ask(referee: Referee, command: Command) -> None:
    """Ask for what may be refused in this phase."""
    with suppress(NotNow):
        await referee.ask(command)


async def _agree(referee: Referee) -> None:
    """Press the button, as one does when the box asks to go on."""
    command = agreed_command(referee.snapshot)
    if command is not None:
        await _ask(referee, command)


async def _wait_for_halt(referee: Referee) -> Snapshot | None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_SHOWS_S), referee.watch() as snapshots:
            while (await snapshots.get()).phase != "halted":
                pass
    # One fault may drive out another.
    await asyncio.sleep(_AWHILE_S)
    return referee.snapshot if referee.snapshot.phase == "halted" else None


def _some(parts: list[str]) -> list[str]:
    """Of all tiles the one that is moved; of other parts all."""
    return [str(_MOVED)] if str(_MOVED) in parts else parts


def _is_taken(way: Way, answer: str) -> bool:
    """True for what the halt offers, and for what can be done without a word."""
    return answer in way.answers or answer in _OTHER_ANSWERS


def _new_game(phase: str) -> StartGame:
    """Two players; with a game in which some throws are always lost, where one is to be."""
    return StartGame(_PLAYERS, "unlucky-7" if phase == "turn_lost" else "two-level", {"first": "chosen"})


def _reported(code: str) -> Fault:
    fault = _REPORTED[code](str(_MOVED), expected="SHUT", seen="OPEN").fault
    return fault if fault.kind == "motion" else replace(fault, part="0x40")
