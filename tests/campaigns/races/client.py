"""A client of the API that races: names, shouts rightly and wrongly, and asks for what is not its own."""

import random
from dataclasses import replace
from pathlib import Path

from controller.game.core.commands import GoOn, Park, PutRight, TryAgain, Undo
from controller.game.fleet.commands import CallGo, Claim, EndRound, NameCombination, Shout, ThrowOwnDice, WithdrawShout
from controller.game.fleet.engine import ColumnView, RaceView
from controller.game.table.snapshot import Snapshot
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.dice import FACES, SET_SIZE, Dice
from controller.rules.fleet.ruleset import FleetRules
from tests.campaigns.clients.bookkeeper import Bookkeeper, Order, Sitter
from tests.campaigns.clients.table_client import TableClient

# Of its wishes: for another than itself, or what is not offered; a pause; a chip put back; a round ended by who is
# done, or by who still races.
_NOT_ITS_OWN, _PAUSE, _PUT_BACK, _END_ROUND, _IMPATIENT = 0.06, 0.01, 0.03, 0.01, 0.002
_RIGHT, _WITHDRAWN, _THROWN = 0.8, 0.1, 0.08
_OLD_MOMENT = 0.1  # of its wishes are for the moment that it saw, and void if something has happened since


class RaceClient(TableClient):
    """One client at a race, for the player whose seat it holds; without one it looks on, and tries all the same.

    Lifetime and concurrency: as those of `TableClient`. has_seen_end: the game is over, as far as it knows.
    """

    def __init__(
        self,
        socket: Path,
        sitter: Sitter,
        books: Bookkeeper,
        chance: random.Random,
        rules: FleetRules,
        port: int | None = None,
    ) -> None:
        super().__init__(socket, sitter, books, chance, port)
        self._name = sitter.name
        self._luck = chance
        self._rules = rules
        self.has_seen_end = False

    def wish(self, seen: Snapshot) -> Order | None:
        """Something that is due, for itself mostly."""
        self.has_seen_end = self.has_seen_end or seen.phase == "ended"
        race = seen.race
        if race is None or seen.phase == "ended":
            return None
        own = next((column for column in race.columns if column.player == self._name), None)
        if own is None or self._luck.random() < _NOT_ITS_OWN:
            order: Order | None = self._anything(race)
        else:
            order = self._due(seen, race, own)
        if order is None or self._luck.random() >= _OLD_MOMENT:
            return order
        return replace(order, game_id=seen.game_id, event=seen.event)

    def _due(self, seen: Snapshot, race: RaceView, own: ColumnView) -> Order | None:
        if self._luck.random() < _PAUSE:
            return Park()
        if seen.can("undo") and self._luck.random() < _PUT_BACK:
            return Undo()
        match seen.phase:
            case "rolling_off":
                return ThrowOwnDice() if self._luck.random() < _THROWN else Claim(self._dice())
            case "naming":
                is_due = not own.has_named and race.namer in (None, own.player)
                return NameCombination(self._combination(own)) if is_due else None
            case "ready":
                return CallGo()
            case "racing" | "moving":
                return self._race(own)
            case "parked":
                return GoOn()
            case "halted":
                return TryAgain()
            case "differing":
                return PutRight()
        return None

    def _race(self, own: ColumnView) -> Order | None:
        is_done = own.chip is not None or own.out
        if self._luck.random() < (_END_ROUND if is_done else _IMPATIENT):
            return EndRound()
        if is_done:
            return None
        if not own.shouted:
            if self._luck.random() < _THROWN:
                return ThrowOwnDice()
            return Shout(own.named or self._combination(own))
        if self._luck.random() < _WITHDRAWN:
            return WithdrawShout()
        wanted = own.named if own.named is not None else self._luck.choice(self._left(own))
        return Claim(self._dice(wanted if self._luck.random() < _RIGHT else None))

    def _anything(self, race: RaceView) -> Order | None:
        """What is another's, or what nobody can do now."""
        name = self._luck.choice(race.columns).player
        orders: list[Order] = [
            Shout(None, name),
            Claim(self._dice(), name),
            WithdrawShout(name),
            NameCombination(self._luck.choice(race.rows).name, name),
            ThrowOwnDice((), name),
            CallGo(),
        ]
        return self._luck.choice(orders)

    def _combination(self, own: ColumnView) -> str:
        """One that it has left; now and then one that is used up."""
        rows = list(CARDS[self._rules.name].combinations)
        return self._luck.choice(rows if self._luck.random() < _NOT_ITS_OWN else self._left(own))

    def _left(self, own: ColumnView) -> list[str]:
        rows = CARDS[self._rules.name].combinations
        return [name for name in rows if name not in own.boxes] or list(rows)

    def _dice(self, combination: str | None = None) -> tuple[int | str, ...]:
        """Six dice that are the combination, if there are such; by chance where none is wanted."""
        if combination is not None:
            wanted = self._rules.combination(combination)
            found = (Dice.of_counts((*each, SET_SIZE - sum(each))) for each in wanted.patterns(repeats=False))
            right = [dice for dice in found if self._rules.has(dice, wanted)]
            if right:
                return tuple(self._luck.choice(right).plain)
        return tuple(Dice(tuple(self._luck.choice(FACES) for _ in range(SET_SIZE))).plain)
