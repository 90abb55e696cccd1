"""A second book-keeper: it hears the events of a match and works out scores, winners and coins by itself.

It follows the rules in the plainest words, knows nothing of the `match` and the `ledger` of `controller.game`, and
objects as soon as the game comes to something else.
"""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from controller.game.core.events import GameAbandoned, GameEnded, GameEvent, GameResumed, GameStarted
from controller.game.core.phases import TileMismatch
from controller.game.shutbox.events import (
    BoardCorrected,
    ChoiceUndone,
    DiceThrown,
    FirstRolled,
    MoveChosen,
    RoundEnded,
    RoundTied,
    TurnEnded,
    TurnPassed,
)
from controller.game.shutbox.state import Choosing, Game, TurnLost
from controller.rules.shutbox.ruleset import rules_of


class Auditor:
    """The books of one match, from its first event on.

    table: the scores of this round, or of its play-off; kept: those of the round meanwhile.
    """

    first: int
    order: list[int]
    table: dict[int, int]
    kept: dict[int, int] | None
    lost: set[int]
    seven: bool
    taken_back: dict[str, Any] | None

    def __init__(self, started: GameStarted) -> None:
        self.rules = rules_of(started.game, started.options, started.marks)
        self.terms = self.rules.terms
        self.seats = len(started.players)
        self.active = list(range(self.seats))
        self.coins = [0] * self.seats
        self.pool = [0] * self.seats
        self.totals = [0] * self.seats
        self.points = [0] * self.seats
        self.round = 1
        self.over: set[int] | None = None
        self.ended = False
        self.given_up: dict[str, Any] | None = None
        thrown_for = self.terms.first in ("lowest", "highest") and self.seats > 1
        self.rolling = list(self.active) if thrown_for else []
        self.rolls: dict[int, int] = {}
        self.taken_back = None
        self.begin_round(0)
        self.pay_stakes()

    @property
    def runs_on(self) -> bool:
        return self.terms.match in ("tournament", "drop-out")

    @property
    def limit(self) -> int:
        return self.terms.match_limit or {"tournament": 100, "drop-out": 45}[self.terms.match]

    def hear(self, before: Game | None, event: GameEvent, after: Game) -> None:
        """Enter `event`, which led from one game to the other, and compare the books."""
        if self.given_up is not None and isinstance(event, GameResumed):
            self.__dict__.update(deepcopy(self.given_up), given_up=None)
        assert not self.ended, "nothing happens after the end"
        if self.over is not None:
            assert isinstance(event, GameEnded), "the match is decided"
        if isinstance(event, DiceThrown | BoardCorrected):
            self.taken_back = None
        if isinstance(event, MoveChosen | TurnEnded | TurnPassed) and self.is_throw_lying(before):
            self.taken_back = self.books()
        match event:
            case FirstRolled():
                self.hear_roll(event)
            case ChoiceUndone():
                assert self.taken_back is not None, "there is nothing to take back"
                self.__dict__.update(deepcopy(self.taken_back))
            case TurnEnded():
                assert before is not None
                self.hear_turn(before, event)
            case RoundTied():
                self.hear_tie(event)
            case RoundEnded():
                assert before is not None
                self.hear_round(before, event)
            case GameEnded():
                assert self.over is not None, "the match is not decided yet"
                assert set(event.winners) == self.over
                self.share(sorted(self.over)) if self.over else self.give_back()
                self.ended = True
            case GameAbandoned():
                self.given_up = self.books()
                self.give_back()
                self.ended = True
        self.compare(after)

    def books(self) -> dict[str, Any]:
        """Everything that is entered, as it is now."""
        fixed = ("rules", "terms", "seats", "taken_back", "given_up")
        return deepcopy({name: value for name, value in self.__dict__.items() if name not in fixed})

    def is_throw_lying(self, before: Game | None) -> bool:
        if before is None:
            return False
        phase = before.phase.then if isinstance(before.phase, TileMismatch) else before.phase
        return isinstance(phase, Choosing | TurnLost)

    def hear_roll(self, event: FirstRolled) -> None:
        assert len(event.dice) == self.terms.first_dice
        assert event.player == next(seat for seat in self.rolling if seat not in self.rolls)
        self.rolls[event.player] = sum(event.dice)
        if len(self.rolls) < len(self.rolling):
            return
        best = min(self.rolls.values()) if self.terms.first == "lowest" else max(self.rolls.values())
        self.rolling, self.rolls = [seat for seat in self.rolling if self.rolls[seat] == best], {}
        if len(self.rolling) == 1:
            self.begin_round(self.rolling.pop())

    def hear_turn(self, before: Game, event: TurnEnded) -> None:
        assert not self.rolling
        assert event.player in self.order
        assert event.player not in self.table, "one turn each"
        if self.terms.race == "turn" and not self.terms.alternate:
            assert event.player == self.order[len(self.table)], "the seats play in their order"
        if event.player == before.turn:
            assert event.score == self.rules.score(before.board) or self.is_last_left(event)
        else:
            assert event.score == self.rules.score(self.rules.start())
        self.seven = isinstance(before.phase, TurnLost) and self.is_seven(before.phase.throw.dice)
        first_throw = self.rules.options.first_set > 0 and before.board == self.rules.start()
        assert event.lost == (first_throw and self.terms.lost != "turn")
        self.table[event.player] = event.score
        self.lost |= {event.player} if event.lost else set()

    def is_last_left(self, event: TurnEnded) -> bool:
        return self.terms.alternate and event.score == 0 and len(self.table) == len(self.order) - 1

    def is_seven(self, dice: tuple[int, ...]) -> bool:
        return self.rules.options.on_seven == "round" and len(dice) == 2 and sum(dice) == 7

    def hear_tie(self, event: RoundTied) -> None:
        assert self.terms.ties == "play_off"
        assert not self.runs_on
        assert len(event.players) > 1
        assert list(event.players) == self.lowest()
        assert self.seven or set(self.table) == set(self.order)
        self.kept = self.table if self.kept is None else self.kept
        self.order, self.table = list(event.players), {}

    def hear_round(self, before: Game, event: RoundEnded) -> None:
        scores = self.table if self.kept is None else self.kept
        totals = [had + scores.get(seat, 0) for seat, had in enumerate(self.totals)]
        assert event.outright == self.shut_decides(before)
        reached = self.terms.match == "tournament" and self.terms.match_end == "at_once" and max(totals) >= self.limit
        if not event.outright and not self.seven and not (reached and not self.due()):
            assert set(self.table) == set(self.order), "everybody plays, unless something ends the round"
        winners = [before.turn] if event.outright else self.lowest()
        if len(winners) > 1 and not self.runs_on:
            assert self.terms.ties != "play_off"
            winners = {"split": winners, "earlier_wins": winners[:1], "carry_over": []}[self.terms.ties]
        assert list(event.winners) == winners
        self.enter_round(winners, totals, outright=event.outright)

    def shut_decides(self, before: Game) -> bool:
        if not before.board.is_shut or self.kept is not None or before.board == self.rules.start():
            return False
        if self.terms.race == "rotation" or self.terms.alternate:
            return True
        return self.terms.match_shut == "wins_match" if self.runs_on else self.terms.shut == "immediate"

    def enter_round(self, winners: list[int], totals: list[int], *, outright: bool) -> None:
        for seat in winners:
            self.points[seat] += 1
        if outright:
            for seat in self.order:
                extra = {"none": 0, "extra": 1, "on_top": 2}[self.terms.double_stake] * self.terms.stake
                self.coins[seat] -= extra
                self.coins[winners[0]] += extra
        if winners and not self.runs_on:
            self.share(winners)
        if self.terms.lost == "game":
            self.active = [seat for seat in self.active if seat not in self.lost]
        self.enter_totals(totals)
        self.over = self.decided(winners, outright=outright)
        if self.over is None:
            self.go_on(winners)

    def enter_totals(self, totals: list[int]) -> None:
        if self.terms.match == "tournament":
            self.totals = totals
        if self.terms.match != "drop-out":
            return
        staying = [seat for seat in self.active if totals[seat] < self.limit]
        if self.active and not staying:
            if self.terms.all_drop == "replay" and len(self.active) > 1:
                return
            least = min(totals[seat] for seat in self.active)
            staying = [seat for seat in self.active if totals[seat] == least]
        self.totals, self.active = totals, staying

    def decided(self, winners: list[int], *, outright: bool) -> set[int] | None:
        """Who has won the match; None while it goes on."""
        if not self.active or (len(self.active) == 1 < self.seats and self.terms.lost == "game"):
            return set(self.active)
        if self.runs_on and outright and self.terms.match_shut == "wins_match":
            return set(winners)
        match self.terms.match:
            case "single":
                return set(winners) if winners or not self.lowest() else None
            case "drop-out":
                alone = len(self.active) == 1 < self.seats
                level = self.totals[self.active[0]] >= self.limit
                shared = level and (len(self.active) == 1 or self.terms.match_tie == "share")
                return set(self.active) if alone or shared else None
        ahead = self.ahead()
        return set(ahead) if self.due() and (len(ahead) == 1 or self.terms.match_tie == "share") else None

    def due(self) -> bool:
        if self.terms.match == "points":
            return self.round >= self.terms.rounds
        return self.terms.match == "tournament" and max(self.totals) >= self.limit

    def ahead(self) -> list[int]:
        if self.terms.match == "points":
            return [seat for seat in self.active if self.points[seat] == max(self.points[each] for each in self.active)]
        return [seat for seat in self.active if self.totals[seat] == min(self.totals[each] for each in self.active)]

    def go_on(self, winners: list[int]) -> None:
        if self.due():
            self.active = self.ahead()
        self.round += 1
        first = self.first + (self.terms.first == "rotate")
        if self.terms.first == "winner" and winners:
            first = winners[0]
        while first % self.seats not in self.active:
            first += 1
        self.begin_round(first % self.seats)
        if not self.runs_on:
            self.pay_stakes()

    def begin_round(self, first: int) -> None:
        self.first = first
        self.order = [seat for seat in self.active if seat >= first] + [seat for seat in self.active if seat < first]
        self.table = {}
        self.kept = None
        self.lost = set()
        self.seven = False

    def lowest(self) -> list[int]:
        eligible = [seat for seat in self.order if seat in self.table and seat not in self.lost]
        return [seat for seat in eligible if self.table[seat] == min(self.table[each] for each in eligible)]

    def pay_stakes(self) -> None:
        for seat in self.order:
            self.coins[seat] -= self.terms.stake
            self.pool[seat] += self.terms.stake

    def share(self, winners: Iterable[int]) -> None:
        seats = sorted(winners)
        rest = sum(self.pool) % len(seats)
        for seat in seats:
            self.coins[seat] += sum(self.pool) // len(seats)
        self.coins[seats[0] if self.terms.odd_coin == "earliest_seat" else seats[-1]] += rest
        self.pool = [0] * self.seats

    def give_back(self) -> None:
        self.coins = [coins + paid for coins, paid in zip(self.coins, self.pool, strict=True)]
        self.pool = [0] * self.seats

    def compare(self, game: Game) -> None:
        """The game has come to the same, and to what can be."""
        match_ = game.match
        assert list(match_.ledger.balances) == self.coins
        assert match_.ledger.pool == sum(self.pool) >= 0
        assert sum(self.coins) + sum(self.pool) == 0
        assert game.is_over == self.ended
        assert not (self.ended and any(self.pool)), "no coin is left in the pool"
        assert (match_.round, list(match_.totals), list(match_.points)) == (self.round, self.totals, self.points)
        assert (list(match_.active), list(match_.order)) == (self.active, self.order)
        assert list(game.turn_scores) == [self.table.get(seat) for seat in range(self.seats)]
        assert game.turn == self.due_to_roll() if self.rolling else game.turn in self.order

    def due_to_roll(self) -> int:
        return next(seat for seat in self.rolling if seat not in self.rolls)
