"""The dice and claims of a race: the box throws for players, and looks at the dice that answer a shout.

A reading is no claim: here, as with throws, an opinion becomes a fact. Throws of a race are no events of the game; only
the claim counts. After a restart everybody throws anew.
"""

import math
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.box.dice import ClaimDice
from controller.box.simulated_actions import ClearDice, LaySet, TakeSet
from controller.box.table import Table, camera_reads
from controller.errors import BadDeed, NoBox, NotNow
from controller.game.core.message import compose
from controller.game.core.sight import OwnDice
from controller.game.fleet.actions import seats_of_kind
from controller.game.fleet.commands import Claim, WithdrawShout
from controller.game.fleet.messages import describe_claim_fault, describe_several_sets
from controller.game.fleet.state import Cry, Race
from controller.referee.jobs.outcomes import Job, Notice, Observations, Unread
from controller.referee.jobs.turn import describe_refusal
from controller.rules.fleet.dice import FACES, SET_SIZE, ClaimFault, Dice, LaidDie, sort_claim

if TYPE_CHECKING:
    from vision.reading import DieReading

# Two readings of a die that lies still agree within this part of the picture's width (5 of 1280 pixels, 1.5 mm). Once
# in 700 throws one of six thrown dice comes to lie so near one of the throw before, with its face.
_SAME_PART = 0.004


@dataclass(slots=True)
class Cup:
    """The six dice of one player in one round.

    kept: frozen for the round.
    thrown: the others, as they lie.
    keep: the dice that the house keeps of them; None before it has looked.
    ready: the combination that the house has found in them.
    next_s: when the house throws next, by the loop's clock.
    shouted: the race knows of a shout for them.
    """

    kept: Dice = field(default_factory=Dice)
    thrown: Dice = field(default_factory=Dice)
    keep: Dice | None = None
    ready: str | None = None
    next_s: float | None = None
    shouted: bool = False

    @property
    def all(self) -> Dice:
        """All dice as they lie; none before the first throw."""
        return self.kept + self.thrown

    def throw(self, keep: Dice, luck: random.Random, *, frozen: bool) -> None:
        """Keep these of the dice that lie there, and throw the others. Raises `NotNow` for dice that do not lie there.

        frozen: kept dice stay for the round.
        """
        pool = self.thrown if frozen else self.all
        try:
            _ = pool - keep
        except ValueError:
            there = pool.tell() if len(pool) else "none yet"
            raise NotNow(f"you cannot keep {keep.tell()}; the dice that lie there show {there}") from None
        kept = self.kept + keep if frozen else keep
        if len(kept) == SET_SIZE:
            raise NotNow("you keep all six dice; shout, if they are the combination")
        self.kept, self.thrown, self.keep, self.ready = kept, roll(SET_SIZE - len(kept), luck), None, None


def roll(count: int, luck: random.Random) -> Dice:
    """Throw this many dice."""
    return Dice(tuple(luck.choice(FACES) for _ in range(count)))


class Cups:
    """The cups of one table: of house players, and of players at a simulated box.

    Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self, luck: random.Random) -> None:
        self._luck = luck
        self._cups: dict[int, Cup] = {}

    def clear(self) -> None:
        """Begin a round, for which everybody takes six dice."""
        self._cups = {}

    def of(self, race: Race, seat: int) -> Cup:
        """Return the cup of a seat in this round, empty at first.

        After a shout that came to nothing people play on with their dice, unless all throw again, as was agreed for
        several who are right at once. The house takes all six: people took or put back what it had shouted for.
        """
        cup = self._cups.setdefault(seat, Cup())
        if race.cry_of(seat) is not None:
            cup.shouted = True
        elif cup.shouted and seat in race.racing:
            cup.shouted = False
            named = race.named[seat]
            wanted = (named,) if named is not None else race.left(seat)
            is_right = any(race.rules.has(cup.all, race.rules.combination(each)) for each in wanted)
            if race.players[seat].house or (race.rules.terms.equal_shouts == "again" and is_right):
                cup = self._cups[seat] = Cup()
        return cup

    def throw(self, race: Race, seat: int, keep: Dice) -> None:
        """Throw all dice that a seat does not keep. Raises `NotNow`."""
        self.of(race, seat).throw(keep, self._luck, frozen=race.rules.options.keeping == "frozen")

    def roll(self) -> Dice:
        """Throw six dice, to decide who names first."""
        return roll(SET_SIZE, self._luck)

    def wait_s(self, pace_s: float) -> float:
        """Return the time until a house player throws again, which varies as with people."""
        return pace_s * self._luck.uniform(0.7, 1.3)

    def views(self, race: Race) -> dict[str, OwnDice]:
        """Return by player the dice of everybody who has thrown in this round."""
        cups = ((race.players[seat].name, self.of(race, seat)) for seat in range(len(race.players)))
        return {name: OwnDice(cup.kept.faces, cup.thrown.faces) for name, cup in cups if len(cup.all)}


class Claims:
    """Looks at the claims on one table. Lifetime: as the executor. Concurrency: one event loop."""

    def __init__(self, table: Table, observations: Observations, cups: Cups) -> None:
        self._table = table
        self._observations = observations
        self._cups = cups
        self._laid: set[str] = set()
        self._rolled: dict[int, tuple[DieReading, ...]] = {}  # by seat, the dice thrown to decide who names first

    async def clear(self) -> None:
        if self._table.hands is not None:
            with suppress(NoBox):
                await self._table.hands.do(ClearDice())
        self._laid.clear()

    async def see(self, race: Race) -> Job:
        """Look at the dice of the first player who shouted and has not shown them yet."""
        dice = self._dice_of(race)
        if dice is not None:
            # Dice of answered shouts are taken off a simulated baize.
            waiting = {dice.colours[cry.seat] for cry in race.cries if cry.seat is not None}
            for colour in sorted(self._laid - waiting):
                await self._take(colour)
        cry = next((each for each in race.cries if each.dice is None), None)
        if cry is None:
            return
        cup = self._cups.of(race, cry.seat) if cry.seat is not None else Cup()
        known = tuple(cup.all.plain) if len(cup.all) == SET_SIZE else None
        name = race.players[cry.seat].name if cry.seat is not None else None
        if known is None and cry.seat is not None and race.players[cry.seat].house:
            # These dice were lost in a restart: the house throws anew.
            yield WithdrawShout(name)
        elif known is not None and not await self._lay(race, cry, cup):
            # The box has thrown them itself, and the camera cannot read them where they would lie.
            yield Claim(known, name)
        elif dice is None:
            yield Notice((compose("claim.typed"),))
        else:
            async for each in self._read(race, cry, cup, dice):
                yield each

    async def see_rolls(self, race: Race) -> Job:
        """Look at the dice thrown to decide who names first; after a tie, dice that lie on are no new throw."""
        dice = self._dice_of(race)
        if dice is None:
            return
        near_px = _SAME_PART * self._table.box.camera.width_px
        due = [seat for seat in race.rolling if race.rolls[seat] is None and not race.players[seat].house]
        while due:
            reading = await self._table.watcher.next_claim()
            laid = dice.laid(reading) if reading.is_read else ()
            for seat in due:
                sorted_ = _sort(race, dice, laid, seat)
                own = tuple(die for die in reading.dice if die.colour == dice.colours[seat])
                lie_on = any(
                    die.value == before.value and math.dist(die.center_px, before.center_px) < near_px
                    for before in self._rolled.get(seat, ())
                    for die in own
                )
                # A new throw lifts all six dice: none lies as before.
                if isinstance(sorted_, Dice) and not lie_on:
                    self._rolled[seat] = own
                    yield Claim(tuple(sorted_.plain), race.players[seat].name, source="camera")
                    return

    async def _read(self, race: Race, cry: Cry, cup: Cup, dice: ClaimDice) -> Job:
        """Read the baize until the dice of a shout lie there, and say what is wrong with those that do."""
        # The button shouts for any player whose dice have not been seen.
        claimants = seats_of_kind(race, "claim") if cry.seat is None else (cry.seat,)
        self._observations.note(eye="reading")
        afresh = True
        try:
            while True:
                reading = await self._table.watcher.next_claim(afresh=afresh)
                afresh = False
                if not reading.is_read:
                    said = describe_refusal(reading)
                    self._observations.note(eye="doubtful" if said else "waiting")
                    yield Unread(said)
                    colour = dice.colours[cry.seat] if cry.seat is not None else ""
                    if colour in self._laid:
                        # Hands at a simulated box lay the dice in another place; at a real box people do it.
                        await self._take(colour)
                        if not await self._lay(race, cry, cup) and cry.seat is not None:
                            yield Claim(tuple(cup.all.plain), race.players[cry.seat].name)
                            return
                    continue
                laid = dice.laid(reading)
                found = {seat: _sort(race, dice, laid, seat) for seat in claimants}
                right = {seat: dice for seat, dice in found.items() if isinstance(dice, Dice)}
                # Of several sets that are right, the button was pressed for the one without a shout of its own.
                right = {seat: dice for seat, dice in right.items() if race.cry_of(seat) is None} or right
                if len(right) == 1:
                    [(seat, claimed)] = right.items()
                    yield Claim(tuple(claimed.plain), race.players[seat].name, source="camera")
                    return
                self._observations.note(eye="doubtful")
                faults = {seat: fault for seat, fault in found.items() if isinstance(fault, ClaimFault)}
                if cry.seat is None and len(found) - len(faults) > 1:
                    yield Notice((describe_several_sets(),), again=False)
                    continue
                for seat, fault in faults.items():
                    # After the button, players whose dice do not lie there need not have shouted.
                    if cry.seat is not None or fault.kind != "not_laid":
                        said = (describe_claim_fault(fault, race.players[seat].name),)
                        yield Notice(said, again=False)
                        break
        finally:
            self._observations.note(eye="off")

    def _dice_of(self, race: Race) -> ClaimDice | None:
        """Return the dice that the camera knows, if each player of the race has a colour."""
        return self._table.claims if camera_reads(race.rules, self._table, len(race.players)) else None

    async def _lay(self, race: Race, cry: Cry, cup: Cup) -> bool:
        """Lay the dice that a simulated box has thrown for a player on its baize; return whether they lie there."""
        dice = self._dice_of(race)
        if self._table.hands is None or dice is None or cry.seat is None:
            return False
        colour = dice.colours[cry.seat]
        if colour not in self._laid:
            # If this is cancelled half way, the dice may lie there.
            self._laid.add(colour)
            try:
                await self._table.hands.do(LaySet(colour, str(cup.all)))
            except (BadDeed, NoBox):
                # Other dice may leave no room for six more.
                self._laid.discard(colour)
        return colour in self._laid

    async def _take(self, colour: str) -> None:
        """Take the dice of one colour off a simulated baize, if nobody else has done it before."""
        if self._table.hands is not None:
            with suppress(BadDeed, NoBox):
                await self._table.hands.do(TakeSet(colour))
        self._laid.discard(colour)


def _sort(race: Race, dice: ClaimDice, laid: Sequence[LaidDie], seat: int) -> Dice | ClaimFault:
    colours = dice.colours[: len(race.players)]
    return sort_claim(laid, colours[seat], colours)
