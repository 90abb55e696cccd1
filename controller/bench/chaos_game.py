"""A trial of `bench faults`: a game amid breakage, its journal compared with rules and metal on the way."""

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.bench.limits import Load, measure_load, violations
from controller.bench.troubles import break_something, reset_a_chip, tip_a_tile
from controller.box import default_box_for, open_simulated_world, targets
from controller.errors import ShutboxError
from controller.game import (
    Abandon,
    Believe,
    Choose,
    Command,
    Confirm,
    EndTurn,
    Game,
    Park,
    Snapshot,
    SnapshotContext,
    StartGame,
    TakeThrow,
    default_players,
    evolve,
    snapshot_of,
)
from controller.journal import Entry, Journal, replay_checked
from controller.process import run_in_background
from controller.referee import Referee, run_referee
from controller.rules import RulesError, rules_of
from controller.settings import Pace
from hardware.errors import Fault
from hardware.sim import World
from hardware.tiles import Position, TileId

_LYING = ("stuck", "stuck-shut", "stuck-open", "contradiction")  # sensors of one tile that do not say what is
_GAMES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("two-level", {}),
    ("two-level", {"carry_board": True}),
    *((name, {}) for name in ("pub", "traditional", "even-stevens", "digital", "lucky-7", "unlucky-7")),
)
_HANGS_S = 3 * 3600.0  # at the box; no game takes so long, whatever breaks
_TROUBLE_S = 6.0  # seconds at the box from one trouble to the next, on average
_PATIENCE = 12  # faults in a row that people answer before they give the game up or leave it
_NOT_AMID_A_GAME = ("camera", "calibration")  # the dice are told, and the calibration was read at the start


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: how it ended (finished, given up, halted with a code, parked), the faults that were made as the command
    line takes them, the codes of those that halted it, the worst for the metal, and what went wrong in words.
    """

    seed: int
    end: str
    faults: tuple[str, ...]
    halts: tuple[str, ...]
    load: Load
    problems: tuple[str, ...]


class ChaosGame:
    """A game, the box it is played on, what breaks there, and the people around it.

    Everything is drawn from one seed on a jumping loop, so a game that went wrong can be played again.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self._seed = seed
        self._folder = folder
        self._chance = random.Random(seed)
        players = default_players(str(self._chance.randint(1, 3)), "careless")
        people = tuple(type(player)(player.name, house=self._chance.random() < 0.5) for player in players)
        self._start = StartGame(people, *self._chance.choice(_GAMES))
        self._box = default_box_for(rules_of(self._start.game, self._start.options, self._start.marks))
        self._problems: list[str] = []
        self._broken: list[str] = []
        self._halts: list[str] = []
        self._in_a_row = 0

    async def run(self) -> Outcome:
        """Play it to an end with a name; whatever else comes of it is a problem."""
        async with open_simulated_world(self._box, seed=self._seed) as (table, world):
            journal = _AuditingJournal(self._folder / "journal.sqlite3", world, self._problems)
            with journal:
                async with run_referee(table, journal, Pace(house_thinks_s=0.2)) as referee:
                    end = await self._play(referee, world)
                self._replay(journal, referee)
            shorted = any(fault.startswith("oe:") for fault in world.faults)
            self._problems += violations(world, shorted=shorted)
            load = measure_load(world)
        return Outcome(self._seed, end, tuple(self._broken), tuple(self._halts), load, tuple(self._problems))

    async def _play(self, referee: Referee, world: World) -> str:
        """Play to an end with a name."""
        async with run_in_background(self._meddle(world)):
            try:
                async with asyncio.timeout(_HANGS_S):
                    await referee.ask(self._start)
                    async with referee.watch() as snapshots:
                        return await self._answer_all(referee, world, snapshots)
            except TimeoutError:
                self._problems.append(f"hangs in {referee.snapshot.phase}: {referee.snapshot.say}")
                return "hangs"
            except Exception as error:  # whatever it is, it is what the campaign looks for
                self._problems.append(f"{type(error).__name__}: {error}")
                return "failed"

    async def _answer_all(self, referee: Referee, world: World, snapshots: asyncio.Queue[Snapshot]) -> str:
        while True:
            snapshot = await snapshots.get()
            if snapshot.number != referee.snapshot.number:
                continue
            if snapshot.phase == "ended":
                return "finished" if snapshot.winners or snapshot.scores else "given up"
            await asyncio.sleep(self._chance.uniform(0.0, 2.0))
            if snapshot.number != referee.snapshot.number:
                continue
            command = self._answer_of_a_person(snapshot, world)
            if command is None:
                continue
            if self._in_a_row > _PATIENCE:
                return await self._leave(referee, snapshot)
            # What is refused by then is asked anew at the next snapshot.
            with suppress(ShutboxError, RulesError):
                await referee.ask(command)

    def _answer_of_a_person(self, snapshot: Snapshot, world: World) -> Command | None:
        match snapshot.phase:
            case "awaiting_throw":
                self._in_a_row = 0
                count = snapshot.dice_wanted or self._chance.choice(snapshot.dice_allowed)
                return TakeThrow(tuple(self._chance.randint(1, 6) for _ in range(count)))
            case "choosing" if not snapshot.house:
                return self._choose(snapshot, world)
            case "turn_lost" if not snapshot.house:
                return Confirm()
            case "halted" if snapshot.fault is not None:
                return self._help(snapshot, snapshot.fault, world)
            case "parked":
                world.open_lid()
                return Confirm()
        return None

    def _choose(self, snapshot: Snapshot, world: World) -> Command | None:
        """Choose a move by words, or by tipping its tiles."""
        move = self._chance.choice(snapshot.moves)
        if self._chance.random() < 0.3:
            with suppress(ValueError):
                for tile in sorted(move, reverse=True):
                    world.hand_moves(TileId.parse(tile), Position.SHUT)
                return None
        return Choose(move)

    def _help(self, snapshot: Snapshot, fault: Fault, world: World) -> Command:
        """Mend what is broken, put the tile right by hand, vouch for it, end the turn, or just try again."""
        self._in_a_row += 1
        self._halts.append(fault.code)
        if world.faults and self._chance.random() < 0.5:
            world.lift(self._chance.choice(world.faults))
        choice = self._chance.random()
        if choice < 0.3 and "believe" in snapshot.answers and self._put_right(fault.part, fault.expected, world):
            return Believe()
        if choice < 0.4 and "end_turn" in snapshot.answers:
            return EndTurn()
        return Confirm()

    def _put_right(self, part: str, expected: str, world: World) -> bool:
        """Tip a tile by hand to where it should be, as somebody honest would; False if it does not get there."""
        try:
            tile, position = TileId.parse(part), Position(expected)
        except ValueError:
            return False
        if world.position(tile) is not position:
            with suppress(ValueError):
                world.hand_moves(tile, position)
        return world.position(tile) is position

    async def _leave(self, referee: Referee, snapshot: Snapshot) -> str:
        """People lose patience: they give the game up, pause it, or go."""
        match self._chance.randrange(3):
            case 0:
                await referee.ask(Abandon())
                return "given up"
            case 1:
                await referee.ask(Park())
                return "parked"
        return f"halted {snapshot.fault.code}" if snapshot.fault else snapshot.phase

    async def _meddle(self, world: World) -> None:
        """Things break and mend, chips forget, hands tip tiles, the lid falls."""
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / _TROUBLE_S))
            match self._chance.randrange(6):
                case 0 | 1:
                    fault = break_something(world, self._chance, _NOT_AMID_A_GAME)
                    self._broken += [fault] if fault else []
                case 2 if world.faults:
                    world.lift(self._chance.choice(world.faults))
                case 3:
                    reset_a_chip(world, self._chance)
                case 4:
                    tip_a_tile(world, self._chance)
                case 5 if self._box.panel.lid is not None and self._chance.random() < 0.3:
                    world.close_lid()
                    await asyncio.sleep(self._chance.uniform(0.1, 5.0))
                    world.open_lid()

    def _replay(self, journal: Journal, referee: Referee) -> None:
        """Check that after a restart the same game would go on: the journal leads to it."""
        game = replay_checked(journal.entries(1))
        if game is None:
            self._problems.append("nothing is in the journal")
        elif snapshot_of(game, SnapshotContext(0, 0, "")).phase != referee.snapshot.phase:
            self._problems.append(f"the journal leads to {game.phase}, the box shows {referee.snapshot.phase}")


class _AuditingJournal(Journal):
    """A journal that compares the metal with the board whenever the tiles are said to be in place, and every score with
    the rules: only here does every event pass, and at the moment at which it becomes true.
    """

    def __init__(self, path: Path, world: World, problems: list[str]) -> None:
        super().__init__(path)
        self._world = world
        self._problems = problems
        self._game: Game | None = None

    def append(self, game_id: int, box: str, entries: Sequence[Entry]) -> None:
        super().append(game_id, box, entries)
        for entry in entries:
            before, self._game = self._game, evolve(self._game, entry.event)
            if before is not None and entry.event.kind == "tiles_confirmed":
                self._check_tiles(before)
            if before is not None and entry.event.kind == "turn_ended" and entry.event.player == before.turn:
                self._check_score(before, entry.event.score)

    def _check_tiles(self, game: Game) -> None:
        for tile, target in targets(game.board, self._world.box).items():
            if self._world.position(tile) is not target and not self._is_excused(tile):
                seen = self._world.position(tile)
                self._problems.append(f"{tile} is said to be {target}, and is {seen}; {self._world.faults}")

    def _is_excused(self, tile: TileId) -> bool:
        """True if the tile's own sensors lie: then nobody but a person can know where it is."""
        for fault in self._world.faults:
            name, _, part = fault.partition(":")
            if (name in _LYING and part == str(tile)) or name == "swapped-sensor":
                return True
        return False

    def _check_score(self, game: Game, score: int) -> None:
        expected = game.rules.score(game.board)
        if score != expected:
            self._problems.append(f"a turn is scored {score}, the board {game.board} makes {expected}")
