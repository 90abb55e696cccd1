"""Answers to questions about the odds, from the command line, a file or the web, in their documented form.

The odds themselves, of both families, are calculated in `controller.odds`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from controller.game.core.english import count
from controller.game.table.questions import AIM, FleetQuestion, Question, names_of
from controller.odds.fleet.advice import FleetOdds
from controller.odds.shutbox.advice import Odds, odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.model import Model, boards_of
from controller.odds.shutbox.seats import RoundState, Seats, seats_of
from controller.odds.work import MOST_BOARDS_AT_ONCE, MOST_EFFORT_AT_ONCE, Progress, silent, span
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw

_WIN = "win"
_LONG = "these odds take long to work out; ask for them at the box, by `shutbox odds`"
# A curve keeps a value for each of about a hundred scores, chances by seat keep every move: at most 30 MB each.
_BOARDS_OF_A_QUICK_CURVE, _BOARDS_OF_QUICK_WINS = 20_000, 5_000
# The range that the command line documents; the odds themselves allow larger rounds (`PLAYERS_OF_A_ROUND`).
_PLAYERS_ASKED = range(2, 7)


@dataclass(frozen=True, slots=True)
class OddsBook:
    """Answers questions about the odds. It does not display them.

    A single question, a batch and the seat at the terminal all use it, so that all get the same answer.

    folder: where the tables of big games are kept.
    quick: answer only what takes a second or two and little memory, because others use the same process; the rest
        raises `InvalidOption`.
    Methods call `progress` with the fraction done, 0..1; with 0 once the question is found to be valid.
    """

    folder: Path
    quick: bool = False

    def answer(self, question: Question, progress: Progress = silent) -> dict[str, Any]:
        """Return the answer as plain values, in the documented form. Raises `RulesError`."""
        rules = question.rules()
        board = question.parse_board(rules)
        throw = None if question.throw is None else question.parse_throw(rules)
        if question.aim == _WIN:
            return self._answer_winning(question, rules, board, throw, progress)
        if question.players is not None or question.scores is not None:
            raise InvalidOption("players and scores belong to aim win")
        return self._answer_turn(question, rules, board, throw, progress)

    def move_values(self, question: Question) -> list[tuple[list[str], float]]:
        """Return every legal move, by the names of its tiles, and its value, the best first.

        Raises `RulesError`, also if the question has no throw, and for a race, which has no moves to choose from.
        """
        rules = question.rules()
        board, throw = question.parse_board(rules), question.parse_throw(rules)
        moves = rules.legal_moves(board, throw)
        if question.aim == _WIN:
            aim: Aim = self._seats(rules, silent).aim(_round_state_of(question, rules))
        else:
            aim = _parse_aim(question.aim or "score")
        values = self._odds(rules, silent).values(board, throw, moves, aim)
        found = list(zip(names_of(moves), map(aim.tidy, values), strict=True))
        return sorted(found, key=lambda each: each[1], reverse=aim.greatest)

    def _check_quick(self, rules: Ruleset, most: int) -> None:
        """Raise `InvalidOption` if only quick answers are allowed and there are more boards than `most`."""
        if self.quick and boards_of(rules, rules.start()) > most:
            raise InvalidOption(_LONG)

    def _odds(self, rules: Ruleset, progress: Progress) -> Odds:
        return odds_of(rules, folder=self.folder, progress=progress)

    def _seats(self, rules: Ruleset, progress: Progress) -> Seats:
        return seats_of(rules, folder=self.folder, progress=progress)

    def _answer_turn(
        self, question: Question, rules: Ruleset, board: Board, throw: Throw | None, progress: Progress
    ) -> dict[str, Any]:
        if question.curve and (throw is not None or question.aim is not None):
            raise InvalidOption("curve is asked before a throw and has its own aim; leave out throw and aim")
        aim = _parse_aim(question.aim or "score")
        self._check_quick(rules, _BOARDS_OF_A_QUICK_CURVE if question.curve else MOST_BOARDS_AT_ONCE)
        odds = self._odds(rules, progress)
        progress(0.0)
        if question.curve:
            return {"aim": "at-most", "curve": list(odds.curve(board))}
        if throw is None:
            before = odds.before(board, aim)
            return {"aim": str(aim), "value": _plain(before.value), "dice": before.dice}
        after = odds.after(board, throw, aim)
        return {"aim": str(aim), "value": _plain(after.value), "best": names_of(after.best)}

    def _answer_winning(
        self, question: Question, rules: Ruleset, board: Board, throw: Throw | None, progress: Progress
    ) -> dict[str, Any]:
        if question.curve:
            raise InvalidOption("curve is of the scores of one turn; leave out aim win")
        self._check_quick(rules, _BOARDS_OF_QUICK_WINS)
        state = _round_state_of(question, rules)
        seats, players = self._seats(rules, progress), state.players
        if self.quick and seats.effort(state) > MOST_EFFORT_AT_ONCE:
            raise InvalidOption(_LONG)
        progress(0.0)
        found: dict[str, Any] = {"aim": _WIN, "players": players}
        if question.board is None and throw is None and not state.scores:
            return found | self._answer_seats(rules, players, progress)
        if throw is None:
            before = seats.before(board, state)
            return {**found, "value": _plain(before.value), "dice": before.dice}
        after = seats.after(board, throw, state)
        return {**found, "value": _plain(after.value), "best": names_of(after.best)}

    def _answer_seats(self, rules: Ruleset, players: int, progress: Progress) -> dict[str, Any]:
        """Return the chances of every seat before the first throw, and its gains if each round is for coins."""
        # If scores add up over the rounds, the pool goes to the winner of the match.
        if not rules.terms.stake or rules.terms.has_running_totals:
            return {"seats": list(self._seats(rules, progress).by_seat(players))}
        shares = self._seats(rules, span(progress, 0, 1 / 2)).by_seat(players)
        gains = self._seats(rules, span(progress, 1 / 2, 1)).gains(players)
        return {"seats": list(shares), "gains": list(gains)}


def _round_state_of(question: Question, rules: Ruleset) -> RoundState:
    """Return the state of the round that a question about winning describes. Raises `InvalidOption`."""
    players, scores = 2 if question.players is None else question.players, tuple(question.scores or ())
    beside = f" and scores {','.join(map(str, scores))}" if scores else ""
    if players not in _PLAYERS_ASKED or len(scores) >= players or any(score < 0 for score in scores):
        first, last = _PLAYERS_ASKED[0], _PLAYERS_ASKED[-1]
        raise InvalidOption(
            f"aim win is for {first} to {last} players, with the scores of those who have played: "
            f"fewer than players, none below 0; not {count(players, 'player')}{beside}"
        )
    if scores:
        _check_scores(rules, scores)
    return RoundState(scores, players - len(scores) - 1)


def _check_scores(rules: Ruleset, scores: Sequence[int]) -> None:
    """Raise `InvalidOption` for scores that nobody can have while others are still to play."""
    if rules.terms.race == "rotation":
        raise InvalidOption("in a race of single throws nobody has a score before it is over; leave out scores")
    highest = int(Model.of(rules).scores.max())
    if max(scores) > highest:
        raise InvalidOption(f"scores: no board of this game costs more than {highest} points, not {max(scores)}")
    if 0 in scores and rules.terms.shut_wins:
        goes_on = "match_shut=zero" if rules.terms.has_running_totals else "shut=play_on"
        raise InvalidOption(f"scores: a 0 has shut the box and won, nobody plays after it (or say {goes_on})")


def _parse_aim(text: str) -> Aim:
    """Parse an aim of one turn. Raises `InvalidOption` that lists all aims."""
    try:
        return Aim.parse(text)
    except InvalidOption as error:
        raise InvalidOption(f"{error}; and {_WIN} against others") from error


_DIGITS = 9  # values that agree to this many decimals are equal in the order of a list


class FleetBook:
    """Answers questions about the odds, single ones and batches. It does not display them."""

    def answer(self, question: FleetQuestion) -> dict[str, Any]:
        """Return the answer as plain values; a `value` of None means never. Raises `RulesError`."""
        rules = question.rules()
        odds, combination, kept = FleetOdds(rules), question.parse_combination(rules), question.parse_kept(rules)
        throw = question.parse_throw(rules, kept)
        if throw is None:
            before = odds.before(combination, kept)
            return {"aim": AIM, "value": _plain(before.value), "at_once": before.at_once}
        after = odds.after(combination, throw, kept)
        return {"aim": AIM, "value": _plain(after.value), "best": [dice.plain for dice in after.best]}

    def keep_values(self, question: FleetQuestion) -> list[tuple[Dice, float]]:
        """Return every selection of dice to keep, and the further throws it takes; the best first, then the largest.

        Selections that never lead to the combination are left out. Raises `RulesError`.
        """
        rules = question.rules()
        combination, kept = question.parse_combination(rules), question.parse_kept(rules)
        throw = question.parse_throw(rules, kept) or Dice()
        parts = [part for part in throw.parts if len(kept + part) < SET_SIZE]
        values = FleetOdds(rules).values(combination, parts, kept)
        possible = [each for each in zip(parts, values, strict=True) if isfinite(each[1])]
        return sorted(possible, key=lambda each: (round(each[1], _DIGITS), -len(each[0]), each[0]))


_TOLD = 12  # decimals of a value that is told: the digits after them differ between processors, as sums add up there


def _plain(value: float) -> float | None:
    return round(value, _TOLD) if isfinite(value) else None
