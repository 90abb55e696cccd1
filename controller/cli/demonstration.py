"""The demonstration of `shutbox demo`: the house plays whole games on the simulated box, on the jumping clock.

Everything takes part, dice, camera, reader, rules and tiles; so it is also a load for the program as a whole.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Literal

from controller.box.faults import apply_faults
from controller.box.simulated import open_simulated_world
from controller.box.table import Table
from controller.errors import NotNow
from controller.game.core.commands import Park, StartGame
from controller.game.core.events import GameEvent
from controller.game.fleet.events import ChipTaken, ClaimHeld, ClaimRefused, ShoutsVoided
from controller.game.fleet.state import Race
from controller.game.shutbox.commands import RollDice, TakeThrow
from controller.game.table.engines import any_rules_of
from controller.game.table.snapshot import Snapshot
from controller.journal.store import Journal
from controller.referee.referee import Referee, run_referee
from controller.referee.subscribers import Action, Words
from controller.rules.fleet.cards import CARDS
from controller.rules.shutbox.ruleset import Ruleset
from controller.settings import Pace
from firmware.errors import LidDown
from firmware.messages import TileCommand
from hardware.box import Box
from hardware.errors import BoxFault, Fault
from hardware.tiles import Position
from vision.errors import DiceUnreadable

# The dice of a claim; None where the event does not say them again.
_Seen = tuple[int, tuple[int, ...] | None]


@dataclass(slots=True)
class ClaimsSeen:
    """Hears of every action of a referee, as its subscriber.

    truth: by player what the dice show that the box has thrown for them. stopwatch: wall seconds. looks_s: the wall
    time of each look.
    """

    truth: Callable[[], Mapping[str, tuple[int, ...]]]
    stopwatch: Callable[[], float]
    looks_s: list[float] = field(default_factory=list)
    misreads: int = 0

    def __call__(self, action: Action) -> Words:
        before = action.before
        if isinstance(before, Race):
            truth = self.truth()
            for event in action.events:
                for seat, dice in _claims_in(event, before):
                    self.looks_s.append(self.stopwatch())
                    lay = truth.get(before.players[seat].name)
                    self.misreads += dice is not None and lay is not None and tuple(sorted(lay)) != tuple(sorted(dice))
        return Words()

    def forget(self) -> None:
        """Begin anew, for the next game."""
        self.looks_s, self.misreads = [], 0


def _claims_in(event: GameEvent, before: Race) -> Iterator[_Seen]:
    """The claims that this event tells of for the first time: those that waited were looked at before."""
    waited = {cry.seat for cry in before.cries if cry.dice is not None}
    match event:
        case ClaimRefused(player, _, dice) | ClaimHeld(player, _, dice):
            yield player, dice
        case ChipTaken(players, _, _, dice) if dice:
            yield from (pair for pair in zip(players, dice, strict=True) if pair[0] not in waited)
        case ShoutsVoided(players):
            yield from ((player, None) for player in players if player not in waited)


MOST_REFUSALS = 25  # in a row; then nobody would throw once more


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One finished game: final scores by name, winners, throws, seconds at the box, readings refused or wrong.

    Of a match `scores` are the totals or points, and `rounds` how many there were; `coins` is empty without
    stakes. In a race `throws` are the claims that were looked at: of its throws only the house knows. `walls_s` are the
    wall times from each throw to the next, all work included. throws_are: "throw" or "claim".
    """

    game: int
    scores: Mapping[str, int | None]
    winner: tuple[str, ...]
    rounds: int
    coins: Mapping[str, int]
    throws: int
    box_seconds: float
    misreads: int
    refused: int
    faults: tuple[str, ...]
    walls_s: tuple[float, ...]
    throws_are: Literal["throw", "claim"] = "throw"


@dataclass(slots=True)
class _Counts:
    """The counts of a game that is on.

    `thrown_s` are the wall times of the throws, `thrown_for` the event that the last one was made for.
    """

    thrown_s: list[float] = field(default_factory=list)
    thrown_for: int = 0
    throws: int = 0
    misreads: int = 0
    refused: int = 0
    refused_in_a_row: int = 0


class DemoHalted(Exception):
    """A fault ended the demonstration."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Demonstration:
    """Plays games through the referee as people would: throws when a throw is due, and again if it is refused.

    `truth` tells what the dice really show; it is compared only after the reading is in the journal. `by_hand`
    gives the faces of so many dice that the camera cannot read; they are typed. `stopwatch` gives wall seconds.
    `claims` are those of a race, in which the house throws by itself.
    """

    def __init__(
        self,
        referee: Referee,
        truth: Callable[[], tuple[int, ...]],
        by_hand: Callable[[int], tuple[int, ...]],
        stopwatch: Callable[[], float],
        claims: ClaimsSeen | None = None,
    ) -> None:
        self._referee = referee
        self._truth = truth
        self._by_hand = by_hand
        self._stopwatch = stopwatch
        self._claims = claims or ClaimsSeen(dict, stopwatch)

    async def play(self, games: int, start: StartGame) -> AsyncGenerator[PlayedGame, None]:
        """Play `games` games. Raises `DemoHalted` at the first fault."""
        async with self._referee.watch() as snapshots:
            await snapshots.get()
            for number in range(1, games + 1):
                yield await self._play_one(number, start, snapshots)

    async def _play_one(self, number: int, start: StartGame, snapshots: asyncio.Queue[Snapshot]) -> PlayedGame:
        loop = asyncio.get_running_loop()
        began_s, counts, event = loop.time(), _Counts(), 0
        self._claims.forget()
        started = await self._referee.ask(start)
        readable = started.camera_reads
        while True:
            snapshot = await snapshots.get()
            if snapshot.game_id < started.game_id:
                continue  # still of the game before
            if any(message.key == "lid.closed" for message in snapshot.messages):
                raise DemoHalted(LidDown("lid", expected="an open lid", seen="a closed one").fault)
            if snapshot.fault is not None:
                await self._referee.ask(Park())
                raise DemoHalted(snapshot.fault)
            if snapshot.phase == "ended" and snapshot.race is not None:
                counts.throws, counts.misreads = len(self._claims.looks_s), self._claims.misreads
                counts.thrown_s = self._claims.looks_s
            if snapshot.phase == "ended":
                return _summarise(number, snapshot, counts, loop.time() - began_s)
            if snapshot.event != event and readable and snapshot.phase in ("choosing", "turn_lost"):
                counts.throws += 1
                counts.refused_in_a_row = 0
                counts.misreads += snapshot.throw != self._truth()
            event = snapshot.event
            if _is_to_throw(snapshot, counts.thrown_for, again=readable and bool(snapshot.notice)):
                counts.thrown_for = event
                await (self._throw if readable else self._type)(snapshot, counts)

    async def _type(self, snapshot: Snapshot, counts: _Counts) -> None:
        """Throw dice that the camera cannot read, and type what they show."""
        counts.thrown_s.append(self._stopwatch())
        counts.throws += 1
        await self._referee.ask(TakeThrow(self._by_hand(min(snapshot.dice_allowed))))

    async def _throw(self, snapshot: Snapshot, counts: _Counts) -> None:
        """Throw; if the last throw could not be read, that one did not count."""
        thrown_s = self._stopwatch()
        try:
            await self._referee.ask(RollDice(snapshot.dice_wanted or min(snapshot.dice_allowed)))
        except NotNow:
            return  # the dice of the throw before are still being read
        counts.thrown_s.append(thrown_s)
        if snapshot.notice:
            counts.refused += 1
            counts.refused_in_a_row += 1
        if counts.refused_in_a_row > MOST_REFUSALS:
            seen = f"{MOST_REFUSALS} throws in a row refused: {snapshot.notice}"
            raise DemoHalted(DiceUnreadable("camera", expected="dice that can be read", seen=seen).fault)


def _is_to_throw(snapshot: Snapshot, thrown_for: int, *, again: bool) -> bool:
    """True if a throw is due: a new one as soon as the house has said its wish, or one `again`."""
    if snapshot.phase != "awaiting_throw":
        return False
    if len(snapshot.dice_allowed) > 1 and snapshot.dice_wanted is None:
        return False
    return again or snapshot.event != thrown_for


async def lay_all(table: Table) -> None:
    """Lay every tile once, so that a broken one is known before the first throw. Raises `DemoHalted`."""
    try:
        await table.check_driven()
        await table.firmware.bank.execute([TileCommand(tile, Position.SHUT) for tile in table.box.tile_ids])
    except BoxFault as fault:
        raise DemoHalted(fault.fault) from fault


def _summarise(number: int, snapshot: Snapshot, counts: _Counts, box_s: float) -> PlayedGame:
    return PlayedGame(
        number,
        dict(snapshot.standing) or snapshot.scores,
        snapshot.winners,
        snapshot.round,
        snapshot.coins,
        counts.throws,
        round(box_s, 1),
        counts.misreads,
        counts.refused,
        faults=(),
        walls_s=tuple(after - before for before, after in pairwise(counts.thrown_s)),
        throws_are="claim" if snapshot.race is not None else "throw",
    )


@dataclass(frozen=True, slots=True)
class DemoOrder:
    """A demonstration to play: `games` games of `start` on `box`, with the chance of `seed`, broken by `faults`."""

    box: Box
    start: StartGame
    games: int
    seed: int
    faults: Sequence[str]


@asynccontextmanager
async def open_demonstration(
    order: DemoOrder, journal: Journal, odds: Path, stopwatch: Callable[[], float]
) -> AsyncIterator[Demonstration]:
    """Open a simulated box as ordered, all tiles laid once, and a referee on it.

    Raises `DemoHalted`, also while it is open.
    """
    card = CARDS.get(order.start.game)
    opening = open_simulated_world(
        order.box,
        seed=order.seed,
        prepare=lambda world: apply_faults(world, order.faults),
        claims=card.joker if card is not None else None,
    )
    async with AsyncExitStack() as stack:
        try:
            table, world = await stack.enter_async_context(opening)
        except BoxFault as fault:
            raise DemoHalted(fault.fault) from fault
        await lay_all(table)
        claims = ClaimsSeen(dict, stopwatch)
        async with run_referee(table, journal, Pace(), odds, [claims]) as referee:

            def dice_by_player() -> Mapping[str, tuple[int, ...]]:
                race = referee.snapshot.race
                columns = race.columns if race is not None else ()
                return {each.player: (*each.kept, *each.dice) for each in columns if each.kept or each.dice}

            claims.truth = dice_by_player

            def faces() -> tuple[int, ...]:
                return tuple(sorted(die.value for die in world.dice()))

            yield Demonstration(referee, faces, _make_hand(order), stopwatch, claims)


def _make_hand(order: DemoOrder) -> Callable[[int], tuple[int, ...]]:
    """Make a hand that throws so many dice which the camera does not know."""
    rng, rules = random.Random(order.seed), any_rules_of(order.start.game, order.start.options, order.start.marks)
    sides = rules.sides if isinstance(rules, Ruleset) else 0
    return lambda count: tuple(rng.randint(1, sides) for _ in range(count))
