"""How a claim is looked at: whose dice lie on the baize, and what they show; or people are asked to say it.

A reading is no claim: here, as with throws, an opinion becomes a fact.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

from controller.box import ClaimDice, LaySet, Table, TakeSet, camera_reads
from controller.errors import BadDeed, NoBox
from controller.game import (
    Claim,
    Cry,
    Message,
    Race,
    WithdrawShout,
    compose,
    describe_claim_fault,
    describe_several_sets,
    seats_of_kind,
)
from controller.referee.jobs.lookout import Lookout
from controller.referee.jobs.outcomes import Job, Notice, Unread
from controller.referee.jobs.race.cups import Cup, Cups
from controller.referee.jobs.throws import describe_refusal
from controller.rules.fleet import SET_SIZE, ClaimFault, Dice, LaidDie, sort_claim
from vision.reading import DieReading

# Two readings of a die that lies still agree within this part of the picture's width (5 of 1280 pixels, 1.5 mm). That
# one of six thrown dice comes to lie so near one of before, with its face, happens once in 700 throws.
_SAME_PART = 0.004


class Claims:
    """The claims on one table. Lifetime: as the executor. Concurrency: one event loop."""

    def __init__(self, table: Table, lookout: Lookout, cups: Cups) -> None:
        self._table = table
        self._lookout = lookout
        self._cups = cups
        self._laid: set[str] = set()
        self._rolled: dict[int, tuple[DieReading, ...]] = {}  # by seat, the dice of who threw for who names first

    async def clear(self) -> None:
        """Hands at a simulated box take all dice away; at a real one people do."""
        for colour in sorted(self._laid):
            await self._take(colour)

    async def see(self, race: Race) -> Job:
        """Look at the dice of who shouted first and is still to show them."""
        await self._take_answered(race)
        cry = next((each for each in race.cries if each.dice is None), None)
        if cry is None:
            return
        cup = self._cups.of(race, cry.seat) if cry.seat is not None else Cup()
        known = tuple(cup.all.plain) if len(cup.all) == SET_SIZE else None
        name = race.players[cry.seat].name if cry.seat is not None else None
        if known is None and cry.seat is not None and race.players[cry.seat].house:
            # Since a restart nobody knows these dice any more: the house throws anew.
            yield WithdrawShout(name)
        elif known is not None and not await self._lay(race, cry, cup):
            # The box has thrown them itself, and they do not come to lie where the camera could read them.
            yield Claim(known, name)
        elif self._dice_of(race) is None:
            yield Notice((compose("claim.typed"),))
        else:
            async for each in self._read(race, cry, cup):
                yield each

    async def see_rolls(self, race: Race) -> Job:
        """Look at the dice of those who throw for who names first; after a tie those that lie on are no new throw."""
        dice = self._dice_of(race)
        if dice is None:
            return
        due = [seat for seat in race.rolling if race.rolls[seat] is None and not race.players[seat].house]
        while due:
            reading = await self._table.watcher.next_claim()
            laid = dice.laid(reading) if reading.is_read else ()
            for seat in due:
                sorted_ = _sort(race, dice, laid, seat)
                own = tuple(die for die in reading.dice if die.colour == dice.colours[seat])
                if isinstance(sorted_, Dice) and not self._lie_on(seat, own):
                    self._rolled[seat] = own
                    yield Claim(tuple(sorted_.plain), race.players[seat].name, source="camera")
                    return

    def _lie_on(self, seat: int, dice: Sequence[DieReading]) -> bool:
        """True if some of these dice lie as they did when the seat threw last: whoever throws anew lifts all six."""
        near_px = _SAME_PART * self._table.box.camera.width_px
        return any(
            die.value == before.value and math.dist(die.center_px, before.center_px) < near_px
            for before in self._rolled.get(seat, ())
            for die in dice
        )

    async def _read(self, race: Race, cry: Cry, cup: Cup) -> Job:
        """Read the baize until the dice of a shout lie there, and say what is wrong with those that do."""
        known = self._dice_of(race)
        assert known is not None  # noqa: S101  asked by the caller
        self._lookout.note(eye="reading")
        afresh = True
        try:
            while True:
                reading = await self._table.watcher.next_claim(afresh=afresh)
                afresh = False
                if not reading.is_read:
                    said = describe_refusal(reading)
                    self._lookout.note(eye="doubtful" if said else "waiting")
                    yield Unread(said)
                    if cry.seat is not None and not await self._lay_anew(race, cry, cup):
                        yield Claim(tuple(cup.all.plain), race.players[cry.seat].name)
                        return
                    continue
                laid = known.laid(reading)
                found = {seat: _sort(race, known, laid, seat) for seat in _claimants(race, cry)}
                right = _whose(race, {seat: dice for seat, dice in found.items() if isinstance(dice, Dice)})
                if len(right) == 1:
                    [(seat, dice)] = right.items()
                    yield Claim(tuple(dice.plain), race.players[seat].name, source="camera")
                    return
                self._lookout.note(eye="doubtful")
                if (told := _describe_wrong(race, cry, found)) is not None:
                    yield Notice((told,), again=False)
        finally:
            self._lookout.note(eye="off")

    def _dice_of(self, race: Race) -> ClaimDice | None:
        """The dice that the camera knows, if there is a colour for each player of the race."""
        return self._table.claims if camera_reads(race.rules, self._table, len(race.players)) else None

    async def _lay(self, race: Race, cry: Cry, cup: Cup) -> bool:
        """Hands at a simulated box lay the dice that it has thrown for a player on its baize; True if they lie so."""
        dice = self._dice_of(race)
        if self._table.hands is None or dice is None or cry.seat is None:
            return False
        colour = dice.colours[cry.seat]
        if colour not in self._laid:
            # Whoever ends this amid it may find them there.
            self._laid.add(colour)
            try:
                await self._table.hands.do(LaySet(colour, str(cup.all)))
            except (BadDeed, NoBox):
                # Where others lie there may be no room for six more.
                self._laid.discard(colour)
        return colour in self._laid

    async def _lay_anew(self, race: Race, cry: Cry, cup: Cup) -> bool:
        """Hands at a simulated box lay dice elsewhere that could not be read as they lay; at a real one people do.

        False if dice that lay there find no room now.
        """
        dice = self._dice_of(race)
        colour = dice.colours[cry.seat] if dice is not None and cry.seat is not None else ""
        if colour not in self._laid:
            return True
        await self._take(colour)
        return await self._lay(race, cry, cup)

    async def _take(self, colour: str) -> None:
        """Hands at a simulated box take the dice of one colour away; others may have done so before."""
        if self._table.hands is not None:
            with suppress(BadDeed, NoBox):
                await self._table.hands.do(TakeSet(colour))
        self._laid.discard(colour)

    async def _take_answered(self, race: Race) -> None:
        """Dice of shouts that have been answered are taken off a simulated baize."""
        claims = self._dice_of(race)
        if claims is None:
            return
        waiting = {claims.colours[cry.seat] for cry in race.cries if cry.seat is not None}
        for colour in sorted(self._laid - waiting):
            await self._take(colour)


def _claimants(race: Race, cry: Cry) -> tuple[int, ...]:
    """The seats whose dice may answer a shout: by the button it is of any whose dice have not been seen."""
    return seats_of_kind(race, "claim") if cry.seat is None else (cry.seat,)


def _whose(race: Race, right: Mapping[int, Dice]) -> Mapping[int, Dice]:
    """Of sets that are all right those of who has no shout of his own, which the button was then pressed for."""
    return {seat: dice for seat, dice in right.items() if race.cry_of(seat) is None} or right


def _describe_wrong(race: Race, cry: Cry, found: Mapping[int, Dice | ClaimFault]) -> Message | None:
    """What is wrong with the dice that lie there; None where none lie of whoever pressed the button: he is asked."""
    faults = {seat: fault for seat, fault in found.items() if isinstance(fault, ClaimFault)}
    if cry.seat is None:
        if len(found) - len(faults) > 1:
            return describe_several_sets()
        faults = {seat: fault for seat, fault in faults.items() if fault.kind != "not_laid"}
    return next((describe_claim_fault(fault, race.players[seat].name) for seat, fault in faults.items()), None)


def _sort(race: Race, dice: ClaimDice, laid: Sequence[LaidDie], seat: int) -> Dice | ClaimFault:
    colours = dice.colours[: len(race.players)]
    return sort_claim(laid, colours[seat], colours)
