"""A trial of `undo`: any game there is, in which people take back and correct wherever they can."""

import asyncio
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from controller.box.compatibility import check_box, known_boxes
from controller.box.simulated import open_simulated_world
from controller.box.table import Table, targets
from controller.errors import BoxTooSmall, SameDice, TooLate
from controller.game.core.commands import Abandon, ClientCommand, Command, Park, StartGame, TryAgain, Undo
from controller.game.core.players import Player
from controller.game.core.sight import CameraState, SnapshotContext
from controller.game.shutbox.commands import CorrectThrow, TakeThrow
from controller.game.shutbox.evolve import replay_box_game
from controller.game.shutbox.state import Game
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from controller.messages.words import fill_in
from controller.opponents.lookback import as_played
from controller.referee.referee import Referee, run_referee
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset
from controller.runtime.clock import run_jumping
from controller.runtime.output import describe_failure
from controller.settings import Pace
from firmware.errors import TileMoved
from hardware.box import Box
from hardware.sim.world import World
from tests.campaigns.any_game import draw_rules
from tests.campaigns.games.auditing_journal import AuditingJournal
from tests.campaigns.games.people import People
from tests.campaigns.games.typed_dice import with_typed_dice
from tests.campaigns.games.undone_events import count_events
from tests.campaigns.limits import Load, measure_load, violations

_HANGS_S = 3 * 3600.0  # at the box; no game takes so long
_MOST_EVENTS = 200  # then the game is given up: some matches last for hundreds of rounds
_LOOK_AGAIN_S = 5.0  # people who have tipped tiles, and see nothing come of it, choose anew after so long
_SLOWEST_S = 1.5  # so long at most they look on before they do something: about as long as a reset takes
_AT_ONCE = 0.4  # of all times they do it at once
_UNDONE, _CORRECTED, _PAUSED = 0.25, 0.15, 0.02  # of all moments at which they can, they do
_NAMES = ("Ann", "House", "Bea", "Hal")


# What a snapshot has of the table around the game.
_BESIDE_THE_GAME = (
    "notice",
    "news",
    "messages",
    "door",
    "by",
    "shared",
    "eye",
    "likely",
    "countdown_s",
    "lid",
    "simulated",
    "daemon",
    "baize",
    "waiting",
    "seen",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: its name, how it ended, how often each thing happened in it, the worst for the metal, and what went
    wrong in words.
    """

    seed: int
    game: str
    end: str
    counts: Counter[str]
    load: Load
    problems: tuple[str, ...]


def play_undone_game(seed: int, folder: Path) -> Outcome:
    """Play the game that is drawn from this seed on a jumping loop, its journal in `folder`."""
    return run_jumping(UndoneGame(seed, folder).run())


class UndoneGame:
    """A game of any kind, its players, and how often they think better of it; all of it is drawn from one seed.

    The journal compares the wood with the game at each confirmation, and every score with the rules. What is taken back
    is compared with what was seen while the throw lay there; and the game, once it is over, with what its journal leads
    to, as it is and without all that was taken back.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self._seed = seed
        self._folder = folder
        self._chance = random.Random(seed)
        name = self._chance.choice(list(GAMES))
        self._rules = draw_rules(self._chance, name, lambda rules: _box_for(rules) is not None)
        self._lay: Snapshot | None = None
        self._tipped = False
        self._problems: list[str] = []

    async def run(self) -> Outcome:
        """Play it to its end; whatever else comes of it is a problem."""
        box = _box_for(self._rules)
        assert box is not None
        async with open_simulated_world(box, seed=self._seed) as (table, world):
            with AuditingJournal(self._folder / "journal.sqlite3", world, self._problems) as journal:
                try:
                    await self._play(table, world, journal)
                except Exception as error:  # whatever it is, it is what the campaign looks for
                    self._problems.append(describe_failure(error))
                events = [entry.event for entry in journal.entries(1)]
            self._problems += violations(world, shorted=False)
            load = measure_load(world)
        counts = count_events(events, self._problems)
        end = "finished" if events and events[-1].kind == "game_ended" else "given up"
        return Outcome(self._seed, self._rules.preset.name, end, counts, load, tuple(self._problems))

    def _start(self) -> StartGame:
        """For a few players, each of whom may be the house."""
        names = _NAMES[: self._chance.randint(1, len(_NAMES))]
        players = tuple(Player(name, house=self._chance.random() < 0.4) for name in names)
        return StartGame(players, self._rules.preset.name, self._rules.chosen, self._rules.marks)

    async def _play(self, table: Table, world: World, journal: Journal) -> None:
        async with (
            run_referee(with_typed_dice(table, world), journal, Pace(house_thinks_s=0.2)) as referee,
            asyncio.timeout(_HANGS_S),
            referee.watch() as snapshots,
        ):
            await referee.ask(self._start())
            await self._play_on(referee, snapshots, People(self._chance, world))
        self._check_end(journal, referee.snapshot, world)

    async def _play_on(self, referee: Referee, snapshots: asyncio.Queue[Snapshot], people: People) -> None:
        while referee.snapshot.phase != "ended":
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_AGAIN_S):
                    self._look(await snapshots.get())
            if self._chance.random() >= _AT_ONCE:
                await asyncio.sleep(self._chance.uniform(0.0, _SLOWEST_S))
            while not snapshots.empty():
                self._look(snapshots.get_nowait())
            await self._act(referee, people)

    def _look(self, snapshot: Snapshot) -> None:
        """Remember the table as it is while a throw lies of which nothing has come.

        Nothing breaks: only who tips tiles as his choice, and then thinks better of it, may be asked to put them back.
        """
        if snapshot.phase in ("choosing", "turn_lost"):
            self._lay = snapshot
        if snapshot.phase == "awaiting_throw":
            self._tipped = False
        if snapshot.fault is not None and not (self._tipped and snapshot.fault.code == TileMoved.code):
            self._problems.append(f"event {snapshot.event}: halted: {snapshot.fault}")

    async def _act(self, referee: Referee, people: People) -> None:
        """Do what people do about the table as it is now; of the house and the tiles, who are quicker, they hear."""
        seen = referee.snapshot
        command = self._command(seen, people)
        if not isinstance(command, ClientCommand):
            return
        with suppress(TooLate, SameDice):
            after = await referee.ask(replace(command, game_id=seen.game_id, event=seen.event))
            if isinstance(command, Undo | CorrectThrow):
                self._compare(after, command)

    def _command(self, seen: Snapshot, people: People) -> Command | None:
        """Think better of something, or play on."""
        if seen.event > _MOST_EVENTS:
            return Abandon() if seen.can("abandon") else None
        if seen.can("undo") and self._chance.random() < _UNDONE:
            return Undo()
        if seen.can("correct") and self._chance.random() < _CORRECTED:
            [counts] = [action.counts for action in seen.actions if action.kind == "correct"]
            return CorrectThrow(self._dice(self._chance.choice(counts)))
        if seen.can("park") and self._chance.random() < _PAUSED:
            return Park()
        if seen.phase == "awaiting_throw":
            return TakeThrow(self._dice(seen.dice_wanted or self._chance.choice(seen.dice_allowed)))
        if seen.phase == "halted":
            return TryAgain()
        command = people.act(seen)
        self._tipped |= command is None and seen.phase == "choosing" and not seen.house
        return command

    def _dice(self, count: int) -> tuple[int, ...]:
        return tuple(self._chance.randint(1, self._rules.sides) for _ in range(count))

    def _compare(self, after: Snapshot, command: Undo | CorrectThrow) -> None:
        """Compare the table with what was seen while the throw lay there."""
        before = self._lay or after
        thrown = tuple(sorted(command.dice)) if isinstance(command, CorrectThrow) else before.throw
        expected, found = _table_of(replace(before, throw=thrown)), _table_of(after)
        if found != expected:
            self._problems.append(f"event {after.event}: {command.do} leads to {found} instead of {expected}")

    def _check_end(self, journal: Journal, shown: Snapshot, world: World) -> None:
        """Compare the game with its journal, with that journal without what was taken back, and with the wood."""
        entries = journal.entries(1)
        game = replay_checked(entries)
        plain = replay_box_game(as_played(entry.event for entry in entries))
        if not isinstance(game, Game) or plain is None:
            self._problems.append("nothing is in the journal")
            return
        if _as_shown(game, shown) != shown:
            self._problems.append("the journal leads to another game than the one that is shown")
        if _without_undos(plain) != _without_undos(game):
            self._problems.append("the game is another one than if nothing had been taken back")
        if shown.winners and not self._tipped:
            wanted = targets(game.board, world.box).items()
            wrong = [str(tile) for tile, position in wanted if world.position(tile) is not position]
            self._problems += [f"at the end {', '.join(wrong)} is not where the game has it"] if wrong else []


def _table_of(snapshot: Snapshot) -> tuple[object, ...]:
    """What must be as it was once something is taken back."""
    coins = (tuple(snapshot.coins.items()), snapshot.pool)
    scores = (tuple(snapshot.scores.items()), tuple(snapshot.standing.items()))
    return (snapshot.turn, snapshot.round, snapshot.throw, snapshot.board, snapshot.players, scores, coins)


def _as_shown(game: Game, shown: Snapshot) -> Snapshot:
    """The snapshot of a game, with what no game knows of the one that is shown."""
    context = SnapshotContext(
        shown.number,
        shown.event,
        shown.box,
        dice_wanted=shown.dice_wanted,
        camera_reads=shown.camera_reads,
        reading=shown.reading,
        game_id=shown.game_id,
        sight=CameraState({tile.name: tile.seen for tile in shown.tiles if tile.seen is not None}),
    )
    return replace(fill_in(snapshot_of(game, context)), **{name: getattr(shown, name) for name in _BESIDE_THE_GAME})


def _without_undos(game: Game) -> Game:
    """All of a game but what tells of things that were taken back."""
    return replace(game, undone=(), earlier=None)


@cache
def _boxes() -> tuple[Box, ...]:
    return tuple(known_boxes())


def _box_for(rules: Ruleset) -> Box | None:
    """A box that can show the game; None if there is none."""
    for box in _boxes():
        with suppress(BoxTooSmall):
            check_box(rules, box, ())
            return box
    return None
