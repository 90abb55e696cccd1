"""Questions about the odds from a command line or a file of JSON Lines, and their answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.progress import Progress
from rich.table import Table as Grid
from rich.text import Text

from controller.odds import Aim, Model, Odds, Stand, odds_of, seats_of
from controller.output import words
from controller.questions import Question
from controller.rules import Board, InvalidOption, Move, Ruleset, Throw

_WIN = "win"
_PLAYERS = range(2, 7)
_BAR = 40


@dataclass(frozen=True, slots=True)
class OddsBook:
    """Answers questions about the odds; `folder` keeps the tables of big games."""

    folder: Path

    def answer(self, question: Question) -> dict[str, Any]:
        """The answer as plain values, as the command line promises it. Raises `RulesError`."""
        rules = question.rules()
        board = question.position(rules)
        throw = None if question.throw is None else question.thrown(rules)
        if question.aim == _WIN:
            return self._of_winning(question, rules, board, throw)
        if question.players is not None or question.scores is not None:
            raise InvalidOption("players and scores belong to aim win")
        return self._of_turn(question, rules, board, throw)

    def odds(self, rules: Ruleset) -> Odds:
        """The odds of a game. Work that takes long is shown at the terminal."""
        return odds_of(rules, folder=self.folder, progress=_shown())

    def _of_turn(self, question: Question, rules: Ruleset, board: Board, throw: Throw | None) -> dict[str, Any]:
        odds = self.odds(rules)
        if question.curve:
            if throw is not None or question.aim is not None:
                raise InvalidOption("curve is asked before a throw and has its own aim; leave out throw and aim")
            return {"aim": "at-most", "curve": list(odds.curve(board))}
        aim = _aim(question.aim or "score")
        if throw is None:
            before = odds.before(board, aim)
            return {"aim": str(aim), "value": before.value, "dice": before.dice}
        after = odds.after(board, throw, aim)
        return {"aim": str(aim), "value": after.value, "best": names_of(after.best)}

    def _of_winning(self, question: Question, rules: Ruleset, board: Board, throw: Throw | None) -> dict[str, Any]:
        if question.curve:
            raise InvalidOption("curve is of the scores of one turn; leave out aim win")
        players, scores = question.players or 2, tuple(question.scores or ())
        if players not in _PLAYERS or len(scores) >= players or any(score < 0 for score in scores):
            raise InvalidOption(
                f"aim win is for {_PLAYERS[0]} to {_PLAYERS[-1]} players, with the scores of those who have played: "
                f"fewer than players, none below 0; not {players} players and scores {list(scores)}"
            )
        _check_scores(rules, scores)
        seats = seats_of(rules, folder=self.folder, progress=_shown())
        told: dict[str, Any] = {"aim": _WIN, "players": players}
        if question.board is None and throw is None and not scores:
            told["seats"] = list(seats.by_seat(players))
            return {**told, "gains": list(seats.gains(players))} if rules.terms.stake else told
        stand = Stand(scores, players - len(scores) - 1)
        if throw is None:
            before = seats.before(board, stand)
            return {**told, "value": before.value, "dice": before.dice}
        after = seats.after(board, throw, stand)
        return {**told, "value": after.value, "best": names_of(after.best)}


def _check_scores(rules: Ruleset, scores: Sequence[int]) -> None:
    """Raise `InvalidOption` for scores that nobody can have while others are still to play."""
    if not scores:
        return
    if rules.terms.race == "rotation":
        raise InvalidOption("in a race of single throws nobody has a score before it is over; leave out scores")
    highest = int(Model.of(rules).scores.max())
    if max(scores) > highest:
        raise InvalidOption(f"scores: no board of this game costs more than {highest} points, not {max(scores)}")
    if 0 in scores and rules.terms.shut == "immediate":
        raise InvalidOption("scores: a 0 has shut the box and won, nobody plays after it (or say shut=play_on)")


def _aim(text: str) -> Aim:
    """An aim of one turn. Raises `InvalidOption` that lists all aims there are."""
    try:
        return Aim.parse(text)
    except InvalidOption as error:
        raise InvalidOption(f"{error}; and {_WIN} against others") from error


def names_of(moves: Sequence[Move]) -> list[list[str]]:
    """Moves as the names of their tiles."""
    return [[tile.name for tile in move] for move in moves]


def draw_answer(found: Mapping[str, Any], question: Question, book: OddsBook) -> RenderableType:
    """An answer drawn for a terminal."""
    if "curve" in found:
        return bars([(f"at most {score}", chance) for score, chance in enumerate(found["curve"])])
    if "seats" in found:
        rows = [(f"player {seat}", chance) for seat, chance in enumerate(found["seats"], 1)]
        coins = [f"player {seat}: {gain:+.4f} coins" for seat, gain in enumerate(found.get("gains", ()), 1)]
        return Group(bars(rows), *map(Text, coins))
    kind = {"score": "least expected score", "win": "chance to win", "shut": "chance to shut the box"}
    said = kind.get(found["aim"], f"chance of {found['aim'].replace('-', ' ').replace(':', ' ')} points")
    lines = [Text(f"{said}: {found['value']:.10g}", style="bold")]
    if "best" in found:
        return Group(*lines, *_moves(found, question, book))
    if found["dice"] is not None:
        lines.append(Text(f"best thrown with {found['dice']} {'die' if found['dice'] == 1 else 'dice'}"))
    return Group(*lines)


def _moves(found: Mapping[str, Any], question: Question, book: OddsBook) -> list[RenderableType]:
    """Every legal move with what it is worth, the best ones marked."""
    if not found["best"]:
        return [Text("no legal set: the turn is over")]
    if found["aim"] == _WIN:
        return [Text(f"best: {' '.join(move)}") for move in found["best"]]
    rules = question.rules()
    board, throw, odds = question.position(rules), question.thrown(rules), book.odds(rules)
    grid = Grid.grid(padding=(0, 2))
    moves, aim = rules.legal_moves(board, throw), Aim.parse(found["aim"])
    for move, value in zip(moves, odds.values(board, throw, moves, aim), strict=True):
        names = [tile.name for tile in move]
        best = names in found["best"]
        grid.add_row("  best" if best else "", " ".join(names), f"{value:.6f}", style="bold" if best else "")
    return [grid]


def bars(rows: Sequence[tuple[str, float]]) -> RenderableType:
    """Shares of one as bars."""
    grid = Grid.grid(padding=(0, 1))
    for label, share in rows:
        bar = Text("█" * round(_BAR * share), style="cyan")
        grid.add_row(Text(label, justify="right"), bar, f"{100 * share:.4f} %")
    return grid


def _shown() -> Callable[[float], None]:
    """Progress that is drawn at a terminal once there is any; nothing is drawn of work that is done at once."""
    progress = Progress(console=words, transient=True, disable=not words.is_terminal)
    bar = progress.add_task("counting boards", total=1.0)

    def show(done: float) -> None:
        if not progress.live.is_started:
            progress.start()
        progress.update(bar, completed=done)
        if done >= 1:
            progress.stop()

    return show
