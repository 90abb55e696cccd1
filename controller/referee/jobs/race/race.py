"""The jobs of a race in each of its phases, on one table."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import aclosing
from math import isfinite
from typing import TYPE_CHECKING

import controller.odds.fleet
import controller.strategy
from controller.box import Table
from controller.game import (
    CallGo,
    Claim,
    CountDown,
    Counting,
    EndRound,
    NameCombination,
    Naming,
    PassSecond,
    Race,
    Racing,
    Ready,
    RollingOff,
    Shout,
)
from controller.odds import STRENGTHS
from controller.process import BackgroundThread
from controller.referee.jobs.lookout import Lookout
from controller.referee.jobs.outcomes import Job
from controller.referee.jobs.race.claims import Claims
from controller.referee.jobs.race.cups import Cup, Cups
from controller.referee.jobs.tiles import TileJobs
from controller.rules.fleet import SET_SIZE, Dice
from controller.settings import Pace
from firmware.errors import MotionFault

if TYPE_CHECKING:
    from controller.strategy import RaceAim  # loads NumPy

_log = logging.getLogger(__name__)

_COUNT = (3, 2, 1)
_SECOND_S = 1.0


class RaceJobs:
    """What the box does by itself in a race.

    Jobs begin anew with every event; what a player has thrown, and when a second is over, outlasts that here. After a
    restart the house throws anew, and a second begins anew.
    Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self, table: Table, pace: Pace, lookout: Lookout, tiles: TileJobs) -> None:
        self._table = table
        self._tiles = tiles
        self._pace = pace
        self._lookout = lookout
        self._cups = Cups(table.luck)
        self._claims = Claims(table, lookout, self._cups)
        self._thread = BackgroundThread()
        self._mute: set[str] = set()  # tiles that were to count and did not move
        self._second: tuple[int, float] | None = None  # of the last one's time, and how much of it is left

    def jobs(self, race: Race) -> Iterator[Job]:
        """The jobs that the phase of a race asks for, beside those of its tiles."""
        houses = [seat for seat in race.racing if race.players[seat].house]
        if race.left_s is None:
            self._second = None
        match race.phase:
            case RollingOff():
                yield self._roll(race)
                yield self._claims.see_rolls(race)
            case Naming():
                yield self._name(race)
            case Ready() if all(player.house for player in race.players):
                yield self._call_go()
            case Counting():
                yield self._count(race)
            case Racing():
                for seat in race.racing:
                    self._cups.of(race, seat)
                yield self._claims.see(race)
                yield from (self._throw(race, seat) for seat in houses if race.cry_of(seat) is None)
                if houses and len(houses) == len(race.racing) and not race.cries:
                    yield self._give_up(race)
                if race.left_s is not None:
                    yield self._keep_time(race.left_s)

    def throw_for(self, race: Race, seat: int, keep: Dice) -> Dice:
        """Throw for a person at a simulated box all that he does not keep; all dice as they lie then.

        Raises `NotNow` for dice that cannot be kept.
        """
        self._cups.throw(race, seat, keep)
        self._show_cups(race)
        return self._cups.of(race, seat).all

    def roll_for(self) -> Dice:
        """Six dice of a person at a simulated box, for who names first."""
        return self._cups.roll()

    async def _roll(self, race: Race) -> Job:
        """Throw for who names first, for the house."""
        due = [seat for seat in race.rolling if race.rolls[seat] is None and race.players[seat].house]
        if due:
            await asyncio.sleep(self._pace.house_thinks_s)
            yield Claim(tuple(self._cups.roll().plain), race.players[due[0]].name)

    async def _name(self, race: Race) -> Job:
        """Name a combination, for the house."""
        due = [seat for seat in race.due_to_name if race.players[seat].house]
        if due:
            await asyncio.sleep(self._pace.house_thinks_s)
            name = await self._thread.run(_name_for, (race, due[0]))
            yield NameCombination(name, race.players[due[0]].name)

    async def _call_go(self) -> Job:
        """Begin the round where no person has to be ready."""
        await asyncio.sleep(self._pace.house_thinks_s)
        yield CallGo()

    async def _count(self, race: Race) -> Job:
        """1-2-3-GO, after everybody has taken his six dice: with each number its tile tips, and at GO all come back."""
        self._cups.clear()
        self._lookout.note(own_dice={})
        await self._claims.clear()
        async with aclosing(self._tiles.prepare_signs(race)) as outcomes:
            async for each in outcomes:
                yield each
        loop = asyncio.get_running_loop()
        try:
            for left, tile in zip(_COUNT, race.signs, strict=True):
                self._lookout.note(countdown_s=left)
                due_s = loop.time() + self._pace.count_s
                await self._sign(race, tile)
                await asyncio.sleep(due_s - loop.time())
            await self._tiles.end_signs(race)
        finally:
            self._lookout.note(countdown_s=None)
        yield CountDown()

    async def _sign(self, race: Race, tile: str) -> None:
        """Tip a tile as a sign. One that does not move counts no more: the race halts only when a chip must move."""
        if tile in self._mute:
            return
        try:
            await self._tiles.tip(race, tile)
        except MotionFault as fault:
            _log.warning("it does not count any more, for it does not move: %s", fault)
            self._mute.add(tile)

    async def _throw(self, race: Race, seat: int) -> Job:
        """Throw for a house player, at the pace of people, until it has what it goes for."""
        cup, player = self._cups.of(race, seat), race.players[seat]
        loop = asyncio.get_running_loop()
        while True:
            if len(cup.all) == SET_SIZE and cup.keep is None:
                cup.ready = await self._look(race, seat, cup)
            if cup.ready is not None:
                # Void if something else happens first: then it is shouted once more.
                yield Shout(cup.ready, player.name, at_ms=round(1000 * loop.time()))
                return
            if cup.next_s is None:
                pace = STRENGTHS[player.strength].throw_pace if player.strength else 1.0
                cup.next_s = loop.time() + self._cups.wait_s(pace * self._pace.house_throws_s)
            await asyncio.sleep(cup.next_s - loop.time())
            cup.next_s = None
            self._cups.throw(race, seat, cup.keep or Dice())
            self._show_cups(race)

    async def _look(self, race: Race, seat: int, cup: Cup) -> str | None:
        """Look at a throw of the house: the combination that it is, or None, and what is kept of it."""
        frozen = race.rules.options.keeping == "frozen"
        kept, throw = (cup.kept, cup.thrown) if frozen else (Dice(), cup.all)
        aim = await self._thread.run(_aim, (race, seat, kept, throw))
        cup.keep = aim.keep
        is_there = race.rules.has(cup.all, race.rules.combination(aim.combination))
        return aim.combination if is_there else None

    async def _give_up(self, race: Race) -> Job:
        """End a round in which only the house still races, and by the rules agreed no dice make what it races for."""
        if not await self._thread.run(_can_be_made, race):
            await asyncio.sleep(self._pace.house_thinks_s)
            yield EndRound()

    async def _keep_time(self, left_s: int) -> Job:
        """Count the time of the last player down, a second at a time; it stands still while this does not run."""
        for left in range(left_s, 0, -1):
            await self._wait_second(left)
            yield PassSecond()

    async def _wait_second(self, left_s: int) -> None:
        """Wait for the rest of one of his seconds."""
        loop = asyncio.get_running_loop()
        rest_s = self._second[1] if self._second is not None and self._second[0] == left_s else _SECOND_S
        began_s = loop.time()
        try:
            await asyncio.sleep(rest_s)
        finally:
            self._second = (left_s, max(0.0, rest_s - (loop.time() - began_s)))

    def _show_cups(self, race: Race) -> None:
        self._lookout.note(own_dice=self._cups.views(race))


def _can_be_made(race: Race) -> bool:
    """True if some dice make what one of those who still race may go for."""
    odds = controller.odds.fleet.FleetOdds(race.rules)
    named = [race.named[seat] for seat in race.racing]
    wanted = [(name,) if name else race.left(seat) for seat, name in zip(race.racing, named, strict=True)]
    found = {race.rules.combination(name) for names in wanted for name in names}
    return any(isfinite(odds.before(each).value) for each in found)


def _name_for(asked: tuple[Race, int]) -> str:
    race, seat = asked
    return controller.strategy.Racer(race.rules).name(race, seat)


def _aim(asked: tuple[Race, int, Dice, Dice]) -> "RaceAim":
    race, seat, kept, throw = asked
    return controller.strategy.Racer(race.rules).aim(race, seat, kept, throw)
