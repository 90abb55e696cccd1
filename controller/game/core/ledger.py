"""Coins: who pays, who is paid, and who gets the odd coin. Whole numbers, never one more or less than was paid in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

OddCoin = Literal["earliest_seat", "latest_seat"]


@dataclass(frozen=True, slots=True)
class Ledger:
    """Per seat, what a player has won or (negative) put in, and what of that lies in the pool.

    Always: sum(balances) + pool == 0. Whole coins, since people at the table pay with such: where a pool does not
    divide, somebody gets the odd one, and the players have agreed who.
    """

    balances: tuple[int, ...]
    paid: tuple[int, ...]

    @classmethod
    def empty(cls, seats: int) -> Self:
        """Nobody has paid anything."""
        return cls((0,) * seats, (0,) * seats)

    @property
    def pool(self) -> int:
        """The coins in the pool."""
        return sum(self.paid)

    def stake(self, seats: Iterable[int], coins: int) -> Self:
        """Each of `seats` puts `coins` into the pool."""
        paying = set(seats)
        amounts = [coins if seat in paying else 0 for seat in range(len(self.paid))]
        balances = tuple(have - amount for have, amount in zip(self.balances, amounts, strict=True))
        paid = tuple(had + amount for had, amount in zip(self.paid, amounts, strict=True))
        return replace(self, balances=balances, paid=paid)

    def collect(self, payers: Iterable[int], winner: int, coins: int) -> Self:
        """Each of `payers` gives `coins` to `winner` straight, past the pool."""
        balances = list(self.balances)
        for seat in payers:
            balances[seat] -= coins
            balances[winner] += coins
        return replace(self, balances=tuple(balances))

    def pay_out(self, winners: Sequence[int], odd_coin: OddCoin) -> Self:
        """The pool goes to `winners` in equal parts; what does not divide, to the earliest or latest of their seats."""
        share, rest = divmod(self.pool, len(winners))
        lucky = min(winners) if odd_coin == "earliest_seat" else max(winners)
        balances = list(self.balances)
        for seat in winners:
            balances[seat] += share + (rest if seat == lucky else 0)
        return replace(self, balances=tuple(balances), paid=(0,) * len(self.paid))

    def refund(self) -> Self:
        """Everybody takes back what he has in the pool."""
        balances = tuple(have + paid for have, paid in zip(self.balances, self.paid, strict=True))
        return replace(self, balances=balances, paid=(0,) * len(self.paid))
