"""A trial of `cuts`: the power goes amid a game, hands move tiles meanwhile, people answer what is asked."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from controller.box.compatibility import default_box_for
from controller.box.simulated import open_table_on
from controller.errors import ShutboxError
from controller.game.core.commands import GoOn, Park, PutRight, TryAgain
from controller.game.core.events import GameEvent
from controller.game.shutbox.commands import CorrectGame
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import Choosing
from controller.journal.replay import replay_checked
from controller.referee.referee import Referee, run_referee
from controller.rules.errors import RulesError
from controller.rules.shutbox.ruleset import rules_of
from controller.settings import Pace
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from hardware.wires import ServoChannel
from tests.campaigns.games.after_cut import AfterCut, after_cut
from tests.campaigns.games.auditing_journal import AuditingJournal
from tests.campaigns.games.people import People, draw_game
from tests.campaigns.games.typed_dice import with_typed_dice
from tests.campaigns.limits import Load, measure_load, violations

_CUT_S = 25.0  # so long at most a game is played; then the power goes
_COMES_TO_REST_S = 1.0  # a tile that was on its way
_PEOPLE_S = 2.0  # so long at most people take for what they do
_ASKED_S = 10.0  # a question has come by then after the start, or there is none; nothing else happens before it
_RESTS_S = 60.0  # a game that has its answer is at rest by then
_PLAYS_ON_S = 10.0
_MOST_MOVED = 5
_PARKED, _MOVE, _CUT_AGAIN = 0.1, 0.6, 0.2  # how often it is paused, a move is tipped, the power goes once more
_PLACES = (Position.OPEN, Position.SHUT)
_PACE = Pace(house_thinks_s=0.2)


@dataclass(slots=True)
class Outcome:
    """One power cut: the phase of the game then, how many tiles hands moved meanwhile, how many differed then and how
    many of these were told (0: nobody was asked), what was answered and what came of it, the worst for the metal, and
    what went wrong in words.
    """

    seed: int
    phase: str = ""
    moved: int = 0
    differing: int = 0
    told: int = 0
    answer: str = "none"
    load: Load = field(default_factory=Load)
    problems: list[str] = field(default_factory=list)


class CutGame:
    """A game whose power goes, the box that it is played on, and the people around it, all drawn from one seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._chance = random.Random(f"{seed}/cuts")
        self._start = draw_game(self._chance)
        self._box = default_box_for(rules_of(self._start.game, self._start.options, self._start.marks))
        self._outcome = Outcome(seed)
        self._world = _CountingWorld(self._box, asyncio.get_running_loop().time, seed)
        self._journal = AuditingJournal(folder / "journal.sqlite3", self._world, self._outcome.problems)

    async def run(self) -> Outcome:
        """Play up to the cut and on after it; whatever else comes of it is a problem."""
        with self._journal:
            try:
                await self._play()
            except Exception as error:  # whatever it is, it is what the campaign looks for
                self._fail(f"{type(error).__name__}: {error}")
        self._outcome.problems += violations(self._world, shorted=False)
        self._outcome.load = measure_load(self._world)
        return self._outcome

    async def _play(self) -> None:
        await self._play_to_the_cut()
        self._outcome.moved = self._move_tiles()
        if self._chance.random() < _CUT_AGAIN:
            async with self._daemon() as referee:
                await self._look_for_question(referee)
            self._outcome.moved += self._move_tiles()
        async with self._daemon() as referee:
            truth = await self._look_for_question(referee)
            if referee.snapshot.phase == "differing":
                await self._answer(referee, truth)
            await self._rest(referee)
            await self._act(referee, _PLAYS_ON_S)
        replay_checked(self._journal.entries(self._journal.game_ids()[-1]))

    @asynccontextmanager
    async def _daemon(self) -> AsyncIterator[Referee]:
        """What a daemon does for the table; when it is left, the power goes."""
        async with (
            open_table_on(self._world, self._box) as table,
            run_referee(with_typed_dice(table, self._world), self._journal, _PACE) as referee,
        ):
            yield referee
        await asyncio.sleep(_COMES_TO_REST_S)

    async def _play_to_the_cut(self) -> None:
        """Play until the power goes. A game that has ended by then is followed by another."""
        while self._outcome.phase in ("", "ended"):
            async with self._daemon() as referee:
                await referee.ask(self._start)
                await self._act(referee, self._chance.uniform(0.0, _CUT_S))
                if self._chance.random() < _PARKED:
                    await referee.ask(Park())
                self._outcome.phase = referee.snapshot.phase

    async def _act(self, referee: Referee, seconds: float) -> None:
        """Do what people do for a while, until the game is over."""
        people = People(self._chance, self._world)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), referee.watch() as snapshots:
                while referee.snapshot.phase != "ended":
                    snapshot = await snapshots.get()
                    await asyncio.sleep(self._chance.uniform(0.0, _PEOPLE_S))
                    command = people.act(snapshot) if snapshot.number == referee.snapshot.number else None
                    if command is not None:
                        # What is refused by then is asked anew at the next snapshot.
                        with suppress(ShutboxError, RulesError):
                            await referee.ask(command)

    def _move_tiles(self) -> int:
        """Move no tile, some at random, or those of a move, by hand; how many gave way."""
        game = self._truth().game
        throw = game.phase.throw if isinstance(game.phase, Choosing) else None
        tiles = self._chance.sample(self._box.tile_ids, self._chance.randint(0, _MOST_MOVED))
        tips = [(tile, self._chance.choice(self._elsewhere(tile))) for tile in tiles]
        if throw is not None and self._chance.random() < _MOVE:
            move = self._chance.choice(game.rules.legal_moves(game.board, throw))
            tips = [(TileId.parse(tile.name), Position.SHUT) for tile in move]
        # Front before back: only so can both lie.
        return sum(self._tip(tile, position) for tile, position in sorted(tips))

    def _elsewhere(self, tile: TileId) -> list[Position]:
        return [place for place in _PLACES if place is not self._world.position(tile)]

    def _tip(self, tile: TileId, position: Position) -> bool:
        """Tip a tile by hand; False if it was there, or does not give way."""
        if self._world.position(tile) is not position:
            with suppress(ValueError):
                self._world.hand_moves(tile, position)
                return True
        return False

    async def _look_for_question(self, referee: Referee) -> AfterCut:
        """See whether people are asked as they must be, and that nothing else happens; the truth then."""
        truth, drives, events = self._truth(), self._world.drives, len(self._events())
        match referee.snapshot.phase:
            case "parked":
                await referee.ask(GoOn())
            case "halted":
                await referee.ask(TryAgain())
        await asyncio.sleep(_ASKED_S)
        asked = referee.snapshot.phase == "differing"
        if asked is not truth.must_ask:
            self._fail(f"asked: {asked}; differing: {truth.differing}, own: {', '.join(map(str, truth.own))}")
        if asked:
            self._check_told(referee, truth)
            if self._world.drives != drives:
                self._fail("servos were driven before the answer")
            kinds = {event.kind for event in self._events()[events:]} - {"tiles_differ", "game_resumed"}
            if kinds:
                self._fail(f"before the answer there was {', '.join(sorted(kinds))}")
        return truth

    def _check_told(self, referee: Referee, truth: AfterCut) -> None:
        """Compare the question with the wood: every tile, where it is, and its name in the sentence."""
        told = {tile.name: tile.seen for tile in referee.snapshot.found}
        self._outcome.differing += len(truth.differing)
        self._outcome.told += len(told.items() & truth.differing.items())
        if told != truth.differing:
            self._fail(f"told {told}, and there is {truth.differing}")
        if not all(name in referee.snapshot.say for name in truth.differing):
            self._fail(f"not all said: {referee.snapshot.say}")

    async def _answer(self, referee: Referee, truth: AfterCut) -> None:
        """Give one of the answers, and compare what comes of it with the wood as it was."""
        events, answer = (
            len(self._events()),
            self._chance.choice(("put_right", "correct_game", "correct_game", "by hand")),
        )
        if answer == "correct_game" and not referee.snapshot.can("correct_game"):
            answer = "put_right"
        match answer:
            case "put_right":
                await referee.ask(PutRight())
            case "correct_game":
                await referee.ask(CorrectGame())
            case _:
                self._put_right(truth)
        await self._rest(referee)
        happened = self._events()[events:]
        kinds = [event.kind for event in happened]
        if "tiles_confirmed" not in kinds:
            self._fail(f"after {answer}: {', '.join(kinds)}")
            return
        self._check_answer(answer, happened[: kinds.index("tiles_confirmed")], truth)

    def _put_right(self, truth: AfterCut) -> None:
        """A hand puts every tile where the game has it: up from behind, down from the front."""
        up = [tile for tile, place in truth.wanted.items() if place is Position.OPEN]
        down = [tile for tile, place in truth.wanted.items() if place is Position.SHUT]
        for tile in (*sorted(up, reverse=True), *sorted(down)):
            self._tip(tile, truth.wanted[tile])

    def _check_answer(self, answer: str, happened: list[GameEvent], truth: AfterCut) -> None:
        """Compare the events up to the confirmation of the tiles, and the board they lead to, with the truth."""
        game = truth.game
        for event in happened:
            game = evolve_box_game(game, event)
        kinds = [event.kind for event in happened if event.kind != "tiles_differ"]
        shut, wanted = truth.game.board.shut, ["game_resumed"] if answer == "put_right" else []
        if answer == "correct_game":
            shut, wanted = truth.shut, ["move_chosen" if truth.choice else "board_corrected"]
        if game.board.shut != shut:
            self._fail(f"after {answer} the board is {game.board}, and should have {shut}")
        if kinds != wanted:
            self._fail(f"after {answer}: {', '.join(kinds)}")
        self._outcome.answer = f"{answer} ({wanted[0]})" if answer == "correct_game" else answer

    async def _rest(self, referee: Referee) -> None:
        """Wait until tiles and game agree, and nobody is asked again."""
        try:
            async with asyncio.timeout(_RESTS_S), referee.watch() as snapshots:
                while referee.snapshot.phase in ("moving", "differing"):
                    await snapshots.get()
        except TimeoutError:
            self._fail(f"still {referee.snapshot.phase}: {referee.snapshot.say}")

    def _truth(self) -> AfterCut:
        return after_cut(self._events(), self._world, self._box)

    def _events(self) -> list[GameEvent]:
        return [entry.event for entry in self._journal.entries(self._journal.game_ids()[-1])]

    def _fail(self, problem: str) -> None:
        self._outcome.problems.append(problem)


class _CountingWorld(World):
    """A world that counts how often a servo was driven."""

    drives = 0

    def drive(self, wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
        """As in every world, and counted."""
        self.drives += pulse_us is not None
        super().drive(wire, pulse_us, on_us)
