"""The answers to questions about the odds: which may be asked on a command line or in a file, and in which form.

The odds themselves are worked out in `controller.odds`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.game import Question, count, names_of
from controller.odds import (
    MOST_BOARDS_AT_ONCE,
    MOST_EFFORT_AT_ONCE,
    Aim,
    Model,
    Odds,
    Progress,
    Seats,
    Stand,
    boards_of,
    odds_of,
    seats_of,
    silent,
    span,
)
from controller.rules import Board, InvalidOption, Ruleset, Throw

_WIN = "win"
_LONG = "these odds take long to work out; ask for them at the box, by `shutbox odds`"
# A curve keeps a value for each of some hundred scores, chances by seat keep every move: 30 MB at most with so many.
_BOARDS_OF_A_QUICK_CURVE, _BOARDS_OF_QUICK_WINS = 20_000, 5_000
# As many as the command line promises; the odds themselves know larger rounds (`PLAYERS_OF_A_ROUND`).
_PLAYERS_ASKED = range(2, 7)


@dataclass(frozen=True, slots=True)
class OddsBook:
    """Answers questions about the odds.

    One book serves a single question, a batch and the seat at the terminal, so that all give the same answer.

    folder: keeps the tables of big games. Who shows an answer, and how, is the asker's: the book knows no terminal.
    progress: told the fraction done, 0..1: 0 once the question is found to be a proper one. quick: only what takes
    a second or two and little memory is answered, since others use the same process; the rest raises `InvalidOption`.
    """

    folder: Path
    quick: bool = False

    def answer(self, question: Question, progress: Progress = silent) -> dict[str, Any]:
        """The answer as plain values, as the command line promises it. Raises `RulesError`."""
        rules = question.rules()
        board = question.parse_board(rules)
        throw = None if question.throw is None else question.parse_throw(rules)
        if question.aim == _WIN:
            return self._answer_winning(question, rules, board, throw, progress)
        if question.players is not None or question.scores is not None:
            raise InvalidOption("players and scores belong to aim win")
        return self._answer_turn(question, rules, board, throw, progress)

    def move_values(self, question: Question) -> list[tuple[list[str], float]]:
        """Every legal move, by the names of its tiles, and what it is worth, the best first.

        Raises `RulesError`, also where the question has no throw, or in a race, where nobody has a choice.
        """
        rules = question.rules()
        board, throw = question.parse_board(rules), question.parse_throw(rules)
        moves = rules.legal_moves(board, throw)
        if question.aim == _WIN:
            aim: Aim = self._seats(rules, silent).aim(_stand_of(question, rules))
        else:
            aim = _parse_aim(question.aim or "score")
        values = self._odds(rules, silent).values(board, throw, moves, aim)
        found = list(zip(names_of(moves), map(aim.tidy, values), strict=True))
        return sorted(found, key=lambda each: each[1], reverse=aim.greatest)

    def _check_quick(self, rules: Ruleset, most: int) -> None:
        """Raise `InvalidOption` where only what is quick is answered and there are more boards than `most`."""
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
            return {"aim": str(aim), "value": before.value, "dice": before.dice}
        after = odds.after(board, throw, aim)
        return {"aim": str(aim), "value": after.value, "best": names_of(after.best)}

    def _answer_winning(
        self, question: Question, rules: Ruleset, board: Board, throw: Throw | None, progress: Progress
    ) -> dict[str, Any]:
        if question.curve:
            raise InvalidOption("curve is of the scores of one turn; leave out aim win")
        self._check_quick(rules, _BOARDS_OF_QUICK_WINS)
        stand = _stand_of(question, rules)
        seats, players = self._seats(rules, progress), len(stand.scores) + 1 + stand.to_come
        if self.quick and seats.effort(stand) > MOST_EFFORT_AT_ONCE:
            raise InvalidOption(_LONG)
        progress(0.0)
        found: dict[str, Any] = {"aim": _WIN, "players": players}
        if question.board is None and throw is None and not stand.scores:
            return found | self._answer_seats(rules, players, progress)
        if throw is None:
            before = seats.before(board, stand)
            return {**found, "value": before.value, "dice": before.dice}
        after = seats.after(board, throw, stand)
        return {**found, "value": after.value, "best": names_of(after.best)}

    def _answer_seats(self, rules: Ruleset, players: int, progress: Progress) -> dict[str, Any]:
        """The chances of every seat before the first throw, and what it gains where each round is for coins."""
        # Where scores add up over the rounds the pool goes to who wins the match.
        if not rules.terms.stake or rules.terms.has_running_totals:
            return {"seats": list(self._seats(rules, progress).by_seat(players))}
        shares = self._seats(rules, span(progress, 0, 1 / 2)).by_seat(players)
        gains = self._seats(rules, span(progress, 1 / 2, 1)).gains(players)
        return {"seats": list(shares), "gains": list(gains)}


def _stand_of(question: Question, rules: Ruleset) -> Stand:
    """The moment of the player that a question about winning is about. Raises `InvalidOption`."""
    players, scores = 2 if question.players is None else question.players, tuple(question.scores or ())
    beside = f" and scores {','.join(map(str, scores))}" if scores else ""
    if players not in _PLAYERS_ASKED or len(scores) >= players or any(score < 0 for score in scores):
        first, last = _PLAYERS_ASKED[0], _PLAYERS_ASKED[-1]
        raise InvalidOption(
            f"aim win is for {first} to {last} players, with the scores of those who have played: "
            f"fewer than players, none below 0; not {count(players, 'player')}{beside}"
        )
    _check_scores(rules, scores)
    return Stand(scores, players - len(scores) - 1)


def _check_scores(rules: Ruleset, scores: Sequence[int]) -> None:
    """Raise `InvalidOption` for scores that nobody can have while others are still to play."""
    if not scores:
        return
    if rules.terms.race == "rotation":
        raise InvalidOption("in a race of single throws nobody has a score before it is over; leave out scores")
    highest = int(Model.of(rules).scores.max())
    if max(scores) > highest:
        raise InvalidOption(f"scores: no board of this game costs more than {highest} points, not {max(scores)}")
    if 0 in scores and rules.terms.shut_wins:
        goes_on = "match_shut=zero" if rules.terms.has_running_totals else "shut=play_on"
        raise InvalidOption(f"scores: a 0 has shut the box and won, nobody plays after it (or say {goes_on})")


def _parse_aim(text: str) -> Aim:
    """An aim of one turn. Raises `InvalidOption` that lists all aims there are."""
    try:
        return Aim.parse(text)
    except InvalidOption as error:
        raise InvalidOption(f"{error}; and {_WIN} against others") from error
