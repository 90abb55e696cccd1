"""The jobs of a race: count, throw for the house, look at claims, and keep the time."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from controller.box.table import Table
from controller.game.fleet.commands import CallGo, Claim, CountDown, EndRound, NameCombination, PassSecond, Shout
from controller.game.fleet.decide import seat_of
from controller.game.fleet.state import Counting, Naming, Race, Racing, Ready, RollingOff
from controller.opponents.strength import STRENGTHS
from controller.referee.jobs.claims import Claims, Cups
from controller.referee.jobs.outcomes import Job, Observations
from controller.referee.jobs.tiles import TileJobs
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.runtime.threads import BackgroundThread
from controller.settings import Pace
from firmware.errors import MotionFault

if TYPE_CHECKING:
    from controller.opponents.house import RaceAim  # loads NumPy

_log = logging.getLogger(__name__)

_COUNT = (3, 2, 1)
_SECOND_S = 1.0


class RaceJobs:
    """Does what the box does by itself in a race.

    Jobs begin anew with every event; the dice of the players and the time of the last one are kept here meanwhile.
    After a restart the house throws anew, and a second begins anew.
    Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self, table: Table, pace: Pace, observations: Observations, tiles: TileJobs) -> None:
        self._table = table
        self._tiles = tiles
        self._pace = pace
        self._observations = observations
        self._cups = Cups(table.luck)
        self._claims = Claims(table, observations, self._cups)
        self._thread = BackgroundThread()
        self._mute: set[str] = set()  # tiles that did not move when they were to count
        self._second: tuple[int, float] | None = None  # the seconds that the last player has, and the rest of this one

    def jobs(self, race: Race) -> Iterator[Job]:
        """Iterate over the jobs that the phase of a race asks for, besides those of its tiles."""
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

    def throw_for(self, race: Race, player: str, keep: Sequence[int | str]) -> Claim | None:
        """Throw the dice of a person at a simulated box that they do not keep.

        When players throw to decide who names first, return the claim that this is. Raises `NotNow` for dice that
        cannot be kept.
        """
        if isinstance(race.resting, RollingOff):
            return Claim(tuple(self._cups.roll().plain), player)
        seat = seat_of(race, "throw", player)
        self._cups.throw(race, seat, Dice.of_words(keep, race.rules.card.joker))
        self._show_cups(race)
        return None

    async def _roll(self, race: Race) -> Job:
        """Throw for the house, to decide who names first."""
        due = [seat for seat in race.rolling if race.rolls[seat] is None and race.players[seat].house]
        if due:
            await asyncio.sleep(self._pace.house_thinks_s)
            yield Claim(tuple(self._cups.roll().plain), race.players[due[0]].name)

    async def _name(self, race: Race) -> Job:
        """Name a combination for the house."""
        due = [seat for seat in race.due_to_name if race.players[seat].house]
        if due:
            await asyncio.sleep(self._pace.house_thinks_s)
            name = await self._thread.run(_name_for, (race, due[0]))
            yield NameCombination(name, race.players[due[0]].name)

    async def _call_go(self) -> Job:
        """Begin a round for which no person has to be ready."""
        await asyncio.sleep(self._pace.house_thinks_s)
        yield CallGo()

    async def clear_baize(self) -> None:
        """Take all dice off a simulated baize, those of an earlier game too; at a real box people do it."""
        await self._claims.clear()

    async def _count(self, race: Race) -> Job:
        """Count 1-2-3-GO, after everybody has taken six dice: each number tips its tile, and GO brings all back."""
        self._cups.clear()
        self._observations.note(own_dice={})
        await self.clear_baize()
        async with aclosing(self._tiles.prepare_signs(race)) as outcomes:
            async for each in outcomes:
                yield each
        loop = asyncio.get_running_loop()
        try:
            for left, tile in zip(_COUNT, race.signs, strict=True):
                self._observations.note(countdown_s=left)
                due_s = loop.time() + self._pace.count_s
                if tile not in self._mute:
                    try:
                        await self._tiles.tip(race, tile)
                    except MotionFault as fault:
                        # The race halts only when a chip has to move.
                        _log.warning("tile does not move, left out of further countdowns: %s", fault)
                        self._mute.add(tile)
                await asyncio.sleep(due_s - loop.time())
            await self._tiles.end_signs(race)
        finally:
            self._observations.note(countdown_s=None)
        yield CountDown()

    async def _throw(self, race: Race, seat: int) -> Job:
        """Throw for a house player, at the pace of people, until it has its combination."""
        cup, player = self._cups.of(race, seat), race.players[seat]
        loop = asyncio.get_running_loop()
        while True:
            if len(cup.all) == SET_SIZE and cup.keep is None:
                frozen = race.rules.options.keeping == "frozen"
                kept, throw = (cup.kept, cup.thrown) if frozen else (Dice(), cup.all)
                aim = await self._thread.run(_aim, (race, seat, kept, throw))
                cup.keep = aim.keep
                if race.rules.has(cup.all, race.rules.combination(aim.combination)):
                    cup.ready = aim.combination
            if cup.ready is not None:
                # If something else happens first, this shout is void and follows once more.
                yield Shout(cup.ready, player.name, at_ms=round(1000 * loop.time()))
                return
            if cup.next_s is None:
                pace = STRENGTHS[player.strength].throw_pace if player.strength else 1.0
                cup.next_s = loop.time() + self._cups.wait_s(pace * self._pace.house_throws_s)
            await asyncio.sleep(cup.next_s - loop.time())
            cup.next_s = None
            self._cups.throw(race, seat, cup.keep or Dice())
            self._show_cups(race)

    async def _give_up(self, race: Race) -> Job:
        """End a round in which only the house still races, for combinations that no dice can make by these rules."""
        from controller.opponents.house import can_be_made  # loads NumPy

        if not await self._thread.run(can_be_made, race):
            await asyncio.sleep(self._pace.house_thinks_s)
            yield EndRound()

    async def _keep_time(self, left_s: int) -> Job:
        """Count down the time of the last player in seconds; it stands still while this does not run."""
        loop = asyncio.get_running_loop()
        for left in range(left_s, 0, -1):
            rest_s = self._second[1] if self._second is not None and self._second[0] == left else _SECOND_S
            began_s = loop.time()
            try:
                await asyncio.sleep(rest_s)
            finally:
                self._second = (left, max(0.0, rest_s - (loop.time() - began_s)))
            yield PassSecond()

    def _show_cups(self, race: Race) -> None:
        self._observations.note(own_dice=self._cups.views(race))


def _name_for(asked: tuple[Race, int]) -> str:
    from controller.opponents.house import Racer

    race, seat = asked
    return Racer(race.rules).name(race, seat)


def _aim(asked: tuple[Race, int, Dice, Dice]) -> "RaceAim":
    from controller.opponents.house import Racer

    race, seat, kept, throw = asked
    return Racer(race.rules).aim(race, seat, kept, throw)
