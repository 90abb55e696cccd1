"""A match of rounds: who begins, who wins a round, what a round adds, and when it is all over. Pure functions.

The turn that is played now stands in `state.py`, the coins in `ledger.py`.

Forms (RULES of S002, S000): `single` is one round; a `tournament` adds the scores until a total reaches 100, then
the lowest total wins; in `drop-out` a player who reaches 45 is out and the last player left wins; for `points` the
winner of a round gets one point, and after the agreed number of rounds the most points win.

Money: a round has its pool in `single` and `points`; where totals run on, the match has one pool, and its winner
takes it. If shutting the box wins outright, everybody else who plays pays for it (double_stake).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Self

from controller.game.core.ledger import Ledger
from controller.rules.shutbox.games import Terms
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw

Scores = tuple[int | None, ...]
_LIMITS = {"tournament": 100, "drop-out": 45}  # S002; `match_limit` sets another


@dataclass(frozen=True, slots=True)
class Match:
    """The part of a game that carries over from round to round; seats count from 0.

    round: its number, from 1. active: the seats still in the match. order: the seats as they play, in this round or
    its play-off. first: the seat that began the round.
    totals: each seat's running score, in games that keep one. points: each seat's number of finished rounds won.
    lost: seats that lost this round on the first throw.
    rolling: the seats that throw to decide who begins. rolls: what each seat threw for that (None: not yet).
    play_off: the scores of tied players who play another turn (empty: no play-off).
    """

    round: int
    active: tuple[int, ...]
    order: tuple[int, ...]
    totals: tuple[int, ...]
    points: tuple[int, ...]
    ledger: Ledger
    first: int = 0
    lost: frozenset[int] = frozenset()
    rolling: tuple[int, ...] = ()
    rolls: Scores = ()
    play_off: Scores = ()

    @classmethod
    def plain(cls, seats: int) -> Self:
        """One round in the order of the seats, without money."""
        everybody, nothing = tuple(range(seats)), (0,) * seats
        return cls(1, everybody, everybody, nothing, nothing, Ledger.empty(seats))

    @property
    def to_roll(self) -> int:
        """The seat that throws next to decide who begins."""
        return next(seat for seat in self.rolling if self.rolls[seat] is None)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The end of a round: its winners (several share it; none: nobody won), whether shutting the box decided it, and
    whether it has no winner because a tie carries its pool over."""

    winners: tuple[int, ...]
    outright: bool = False
    carried: bool = False


def new_match(terms: Terms, seats: int) -> Match:
    """The match before its first throw, stakes paid."""
    match = Match.plain(seats)
    match = replace(match, ledger=match.ledger.stake(match.order, terms.stake))
    if terms.first not in ("lowest", "highest") or seats == 1:
        return match
    return replace(match, rolling=match.active, rolls=(None,) * seats)


def take_first_roll(terms: Terms, match: Match, seat: int, total: int) -> Match:
    """`seat` threw `total` for who begins; the tied throw again, and who is alone begins."""
    rolls = set_score(match.rolls, seat, total)
    if any(rolls[each] is None for each in match.rolling):
        return replace(match, rolls=rolls)
    best = (min if terms.first == "lowest" else max)(_known(rolls, match.rolling))
    leading = tuple(each for each in match.rolling if rolls[each] == best)
    if len(leading) > 1:
        return replace(match, rolling=leading, rolls=(None,) * len(rolls))
    return replace(match, rolling=(), rolls=(), first=leading[0], order=_playing_order(match.active, leading[0]))


def limit_reached(terms: Terms, match: Match, scores: Scores) -> bool:
    """True if a tournament that looks at the totals at once is over in the middle of a round.

    An extra round, which only a tournament that is due has, is played to its end.
    """
    if terms.match != "tournament" or terms.match_end != "at_once" or _is_due(terms, match):
        return False
    return any(total >= limit_of(terms) for total in _totals(match, scores))


def limit_of(terms: Terms) -> int:
    """The total that ends a tournament or drops a player out."""
    return terms.match_limit or _LIMITS[terms.match]


def leaders(match: Match, scores: Scores) -> tuple[int, ...]:
    """The seats with the lowest score of the round so far, in playing order; those who lost it are not among them."""
    playing = [seat for seat in match.order if scores[seat] is not None and seat not in match.lost]
    best = min(_known(scores, playing), default=None)
    return tuple(seat for seat in playing if scores[seat] == best)


def needs_play_off(terms: Terms, tied: Sequence[int]) -> bool:
    """True if the leaders of a round that is over must play another turn."""
    return len(tied) > 1 and terms.ties == "play_off" and not terms.has_running_totals


def winners_of_round(terms: Terms, leading: tuple[int, ...]) -> tuple[int, ...]:
    """The winners of the round among its leaders."""
    if len(leading) < 2 or terms.has_running_totals or terms.ties in ("split", "play_off"):
        return leading
    return leading[:1] if terms.ties == "earlier_wins" else ()


def end_round(terms: Terms, match: Match, scores: Scores, result: RoundResult) -> Match:
    """The match with what a round added: totals, points, coins, and who is out."""
    points = tuple(had + (seat in result.winners) for seat, had in enumerate(match.points))
    totals = _totals(match, scores) if terms.has_running_totals else match.totals
    active = match.active
    if terms.lost == "game":
        active = tuple(seat for seat in active if seat not in match.lost)
    ledger = match.ledger
    if result.outright:
        others = [seat for seat in match.order if seat not in result.winners]
        ledger = ledger.collect(others, result.winners[0], terms.stake * terms.stakes_for_shut)
    if result.winners and not terms.has_running_totals:
        ledger = ledger.pay_out(result.winners, terms.odd_coin)
    match = replace(match, points=points, active=active, ledger=ledger)
    if terms.match != "drop-out":
        return replace(match, totals=totals)
    # Who reaches the limit drops out. Where all reach it together, the lowest totals stay, or nothing counted.
    staying = tuple(seat for seat in active if totals[seat] < limit_of(terms))
    if not staying and active:
        if terms.all_drop == "replay" and len(active) > 1:
            return match
        least = min(totals[seat] for seat in active)
        staying = tuple(seat for seat in active if totals[seat] == least)
    return replace(match, totals=totals, active=staying)


def winners_of_match(terms: Terms, match: Match, result: RoundResult) -> tuple[int, ...] | None:
    """The winners of the match after a round (several share it; nobody: all are out); None while it goes on."""
    loses_seats = terms.match == "drop-out" or terms.lost == "game"
    if not match.active or (loses_seats and len(match.active) == 1 < len(match.totals)):
        return match.active
    if terms.has_running_totals and result.outright and terms.match_shut == "wins_match":
        return result.winners
    match terms.match:
        case "single":
            return None if result.carried else result.winners
        case "points" | "tournament":
            return _decide(terms, _leading_seats(terms, match)) if _is_due(terms, match) else None
        case "drop-out":
            over = tuple(seat for seat in match.active if match.totals[seat] >= limit_of(terms))
            return _decide(terms, over) if over else None


def can_be_decided(rules: Ruleset, seats: int) -> bool:
    """False where all players stay level whatever they throw, for no throw shuts a tile, and ties go on for ever."""
    start, faces, terms = rules.start(), range(1, rules.sides + 1), rules.terms
    throws = (
        Throw(dice) for count in rules.dice_allowed(start) for dice in combinations_with_replacement(faces, count)
    )
    if seats == 1 or any(rules.legal_moves(start, throw) for throw in throws):
        return True
    if terms.race == "rotation" or (terms.match == "drop-out" and terms.all_drop == "replay"):
        return False
    if terms.match == "tournament" and terms.match_end == "at_once" and seats == 2:
        return True  # who sits first comes to the limit alone
    if terms.match == "single":
        return terms.ties in ("split", "earlier_wins")
    # Of a match for points the one who sits first may win every round.
    return terms.match_tie == "share" or (terms.match == "points" and terms.ties == "earlier_wins")


def begin_next_round(terms: Terms, match: Match, result: RoundResult) -> Match:
    """The match at the start of its next round, stakes paid."""
    active = _leading_seats(terms, match) if _is_due(terms, match) else match.active
    first = match.first + 1 if terms.first == "rotate" else match.first
    if terms.first == "winner" and result.winners:
        first = result.winners[0]
    # Where that seat is out, the next one after it begins.
    first = min(active, key=lambda seat: (seat - first) % len(match.totals))
    order = _playing_order(active, first)
    ledger = match.ledger if terms.has_running_totals else match.ledger.stake(order, terms.stake)
    match = replace(match, round=match.round + 1, active=active, first=first, order=order, ledger=ledger)
    return replace(match, lost=frozenset(), play_off=())


def settle(terms: Terms, match: Match, winners: Sequence[int]) -> Match:
    """The end: whatever is still in the pool goes to the winners, or back."""
    ledger = match.ledger
    return replace(match, ledger=ledger.pay_out(winners, terms.odd_coin) if winners else ledger.refund())


def set_score(scores: Scores, seat: int, score: int) -> Scores:
    """`scores` with one more."""
    return (*scores[:seat], score, *scores[seat + 1 :])


def _is_due(terms: Terms, match: Match) -> bool:
    """True if a match of rounds has had its last one; what follows are extra rounds of those who are level."""
    if terms.match == "points":
        return match.round >= terms.rounds
    return terms.match == "tournament" and max(match.totals) >= limit_of(terms)


def _leading_seats(terms: Terms, match: Match) -> tuple[int, ...]:
    """The seats still in the match with most points, or the lowest total."""
    marks = match.points if terms.match == "points" else tuple(-total for total in match.totals)
    best = max(marks[seat] for seat in match.active)
    return tuple(seat for seat in match.active if marks[seat] == best)


def _decide(terms: Terms, leading: tuple[int, ...]) -> tuple[int, ...] | None:
    return None if len(leading) > 1 and terms.match_tie == "extra_round" else leading


def _playing_order(active: Sequence[int], first: int) -> tuple[int, ...]:
    start = active.index(first)
    return (*active[start:], *active[:start])


def _totals(match: Match, scores: Scores) -> tuple[int, ...]:
    return tuple(total + (score or 0) for total, score in zip(match.totals, scores, strict=True))


def _known(scores: Scores, seats: Iterable[int]) -> list[int]:
    return [score for seat in seats if (score := scores[seat]) is not None]
