"""An evening of every game there is, each after each, on one simulated box that its camera reads."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import pairwise, product
from pathlib import Path

import pytest

from controller.access.access import open_access
from controller.box.choose import choose_box_at_start
from controller.box.compatibility import EVERY_GAME
from controller.box.simulated_actions import LaySet
from controller.box.start import settings_at_start
from controller.cli.daemon import Kept, keep_table
from controller.errors import ShutboxError
from controller.game.core.commands import Abandon, StartGame
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo, NameCombination, Shout
from controller.game.shutbox.commands import AcceptLoss, Choose, RollDice, TakeThrow
from controller.game.table.engines import any_rules_of
from controller.game.table.snapshot import Snapshot
from controller.journal.store import Journal
from controller.referee.box_slot import BoxSlot
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.runtime.home import Home
from controller.settings import Settings

OPTIONS = {"first": "chosen"}
ANN, BOB = Player("Ann"), Player("Bob")
# Where a game of tiles is given up: before a throw, with dice on the baize, or amid a move.
MOMENTS: Sequence[PhaseName] = ("awaiting_throw", "choosing", "moving")
PATIENCE_S = 120.0


def each_after_each(games: Sequence[str]) -> Iterator[str]:
    """An evening in which every game follows every game once: the circuit of a complete graph (Hierholzer)."""
    left = {game: [*games] for game in games}
    trail, way = [], [games[0]]
    while way:
        if left[way[-1]]:
            way.append(left[way[-1]].pop())
        else:
            trail.append(way.pop())
    return reversed(trail)


def test_every_game_follows_every_game() -> None:
    evening = [*each_after_each("abc")]
    assert sorted(pairwise(evening)) == [*product("abc", repeat=2)]


class Guests:
    """Two people who play whatever the evening brings."""

    def __init__(self, referee: Referee, chance: random.Random) -> None:
        self._referee = referee
        self._chance = chance

    async def play(self, game: str) -> None:
        """Begin a game, with a claim if it is a race, and give it up somewhere."""
        await self._referee.ask(StartGame((ANN, BOB), game, OPTIONS))
        if game in CARDS:
            await self._race(game)
        else:
            await self._play_until(self._chance.choice(MOMENTS))
        with suppress(ShutboxError):
            await self._referee.ask(Abandon())

    async def _until(self, *phases: PhaseName) -> Snapshot:
        async with asyncio.timeout(PATIENCE_S), self._referee.watch() as snapshots:
            while True:
                snapshot = await snapshots.get()
                if snapshot.phase in phases:
                    return snapshot

    async def _play_until(self, moment: PhaseName) -> None:
        snapshot = await self._until("awaiting_throw")
        if moment != "awaiting_throw":
            values = (1,) * max(snapshot.dice_allowed)
            await self._referee.ask(RollDice() if snapshot.camera_reads else TakeThrow(values))
            snapshot = await self._until("choosing", "turn_lost", "ended")
            if moment == "moving" and snapshot.phase == "choosing":
                await self._referee.ask(Choose(snapshot.moves[0]))
            elif moment == "moving" and snapshot.phase == "turn_lost":
                await self._referee.ask(AcceptLoss())

    async def _race(self, game: str) -> None:
        """Shout rightly, and lay the dice by hand: the camera must see them for what they are."""
        await self._until("naming", "ready", "rolling_off")
        rules = fleet_rules_of(game, OPTIONS)
        for player in ("Ann", "Bob"):
            with suppress(ShutboxError):
                await self._referee.ask(NameCombination(next(iter(CARDS[game].combinations)), player))
        await self._until("ready")
        await self._referee.ask(CallGo())
        racing = (await self._until("racing")).race
        assert racing is not None
        named = racing.columns[0].named or next(iter(CARDS[game].combinations))
        await self._referee.ask(Shout(named, "Ann"))
        hands, claims = self._referee.table.hands, self._referee.table.claims
        assert hands is not None
        assert claims is not None
        wanted = rules.combination(named)
        found = (Dice.of_counts((*each, SET_SIZE - sum(each))) for each in wanted.patterns(repeats=False))
        dice = self._chance.choice([dice for dice in found if rules.has(dice, wanted)])
        await hands.do(LaySet(claims.colours[0], str(dice)))
        async with asyncio.timeout(PATIENCE_S), self._referee.watch() as snapshots:
            while True:
                race = (await snapshots.get()).race
                assert race is not None
                if race.columns[0].boxes:
                    return


@asynccontextmanager
async def open_box(folder: Path, seed: int) -> AsyncIterator[tuple[Referee, BoxSlot]]:
    """A simulated box as `shutbox run --mock` has it, which becomes another where a game needs one."""
    home = Home(folder, folder, fixed=True)
    stand = BoxSlot(choose_box_at_start(None, settings_at_start(home), home, mock=True, faults=(), seed=seed))
    with Journal(home.journal) as journal, open_access(home.access) as access:
        async with keep_table(stand, Kept(journal, home, Settings(), access, Meters())) as referee:
            yield referee, stand


async def spend(evening: Sequence[str], folder: Path, seed: int) -> None:
    """Play these games one after the other on one box."""
    async with open_box(folder, seed) as (referee, stand):
        guests = Guests(referee, random.Random(seed))
        for before, game in pairwise(("nothing", *evening)):
            try:
                await stand.make_fit(any_rules_of(game, OPTIONS), referee)
                await guests.play(game)
            except (AssertionError, ShutboxError, TimeoutError) as error:
                now = referee.snapshot
                pytest.fail(f"{game} after {before}: {now.phase}: {now.say} {now.notice} ({error!r})")


EVENING = (*each_after_each((*EVERY_GAME,)),)
AT_A_TIME = 45


@pytest.mark.long
@pytest.mark.parametrize("begin", range(0, len(EVENING), AT_A_TIME))
async def test_a_right_claim_is_granted_whatever_was_played_before(tmp_path: Path, begin: int) -> None:
    await spend(EVENING[begin : begin + AT_A_TIME + 1], tmp_path, begin)


async def test_a_race_follows_a_game_of_tiles_and_a_race(tmp_path: Path) -> None:
    await spend(("pub", "fleet", "flash"), tmp_path, 1)
