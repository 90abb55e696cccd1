"""The dice of the players for whom the box throws: house players, and those who sit at a simulated box.

What is thrown beside the baize is no event of a game: nobody but its player sees to it, and after a restart he throws
anew. Only the claim counts, and the camera reads it.
"""

import random
from dataclasses import dataclass, field

from controller.errors import NotNow
from controller.game import OwnDice, Race
from controller.rules.fleet import FACES, SET_SIZE, Dice


@dataclass(slots=True)
class Cup:
    """The six dice of one player in one round: those that are frozen, and the others as they lie.

    keep: what the house keeps of them; None until it has looked. ready: the combination that it has found in them.
    next_s: when it throws next, by the loop's clock. shouted: the race knows of a shout for them.
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

        frozen: what is kept stays for the round.
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


def _is_right(race: Race, seat: int, cup: Cup) -> bool:
    name = race.named[seat]
    wanted = (name,) if name is not None else race.left(seat)
    return any(race.rules.has(cup.all, race.rules.combination(each)) for each in wanted)


def roll(count: int, luck: random.Random) -> Dice:
    """So many dice, thrown."""
    return Dice(tuple(luck.choice(FACES) for _ in range(count)))


class Cups:
    """The cups of one table. Lifetime: as the executor. Concurrency: one event loop."""

    def __init__(self, luck: random.Random) -> None:
        self._luck = luck
        self._cups: dict[int, Cup] = {}

    def clear(self) -> None:
        """A round begins: everybody takes his six dice."""
        self._cups = {}

    def of(self, race: Race, seat: int) -> Cup:
        """The cup of a seat in the round that is on, empty at first.

        After a shout that came to nothing people play on with their dice, unless all throw again, as was agreed where
        several are right at once. The house takes all six: what it shouted for was put back or taken back by people.
        """
        cup = self._cups.setdefault(seat, Cup())
        if race.cry_of(seat) is not None:
            cup.shouted = True
        elif cup.shouted and seat in race.racing:
            cup.shouted = False
            if race.players[seat].house or (race.rules.terms.equal_shouts == "again" and _is_right(race, seat, cup)):
                cup = self._cups[seat] = Cup()
        return cup

    def throw(self, race: Race, seat: int, keep: Dice) -> None:
        """Throw for a seat all that it does not keep. Raises `NotNow`."""
        self.of(race, seat).throw(keep, self._luck, frozen=race.rules.options.keeping == "frozen")

    def roll(self) -> Dice:
        """Six dice, thrown for who names first."""
        return roll(SET_SIZE, self._luck)

    def wait_s(self, pace_s: float) -> float:
        """The time until a house player throws again: people are not machines."""
        return pace_s * self._luck.uniform(0.7, 1.3)

    def views(self, race: Race) -> dict[str, OwnDice]:
        """The dice of everybody who has thrown in this round, by player."""
        cups = ((race.players[seat].name, self.of(race, seat)) for seat in range(len(race.players)))
        return {name: OwnDice(cup.kept.faces, cup.thrown.faces) for name, cup in cups if len(cup.all)}
