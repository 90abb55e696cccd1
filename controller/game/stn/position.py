"""A position of a game of tiles as one line: for programs that choose, and for whoever wants to ask about it.

`pub {"first":"chosen"} 1 2 3 4 5 6 7 8 9 ; 2 8,- ; 36`: the game, the options that differ, the board, whose turn it is
with the scores of the round by seat, and the dice that lie. docs/reference/stn.md is the grammar.
"""

import json
from dataclasses import dataclass

from controller.errors import RecordError
from controller.game.shutbox.state import Choosing, Game, TurnLost
from controller.game.stn.notation import dice_of, dice_text
from controller.game.stn.tags import part_options
from controller.rules.board import Board
from controller.rules.errors import RulesError
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw

_NONE = "-"


@dataclass(frozen=True, slots=True)
class Position:
    """A board of a game, whose turn it is (a seat, from 0), the scores of the round, and the throw; None: none lies."""

    rules: Ruleset
    board: Board
    turn: int
    scores: tuple[int | None, ...]
    throw: Throw | None = None


def position_of(game: Game) -> Position:
    """Return the position of a game as it stands."""
    rest = game.resting
    throw = rest.throw if isinstance(rest, Choosing | TurnLost) else None
    return Position(game.rules, game.board, game.turn, game.turn_scores, throw)


def position_text(position: Position) -> str:
    """Return a position as its line."""
    rules = position.rules
    options = json.dumps(part_options(rules.name, rules.chosen)[0], separators=(",", ":"))
    scores = ",".join(_NONE if score is None else str(score) for score in position.scores)
    dice = _NONE if position.throw is None else dice_text(position.throw.dice, rules.sides)
    return f"{rules.name} {options} {position.board} ; {position.turn + 1} {scores} ; {dice}"


def read_position(line: str) -> Position:
    """Return the position that a line tells. Raises `RecordError` with what is wrong."""
    try:
        return _read(line)
    except (ValueError, RulesError, RecursionError) as error:
        raise RecordError(f"position {line[:80]!r}: {error}") from error


def _read(line: str) -> Position:
    parts = line.split(" ; ")
    if len(parts) != 3 or not "".join(parts[1:]).isascii():
        raise ValueError("it has three parts, with ` ; ` between: board, turn and scores, dice")
    name, _, rest = parts[0].partition(" ")
    options, end = json.JSONDecoder().raw_decode(rest)
    if not isinstance(options, dict):
        raise ValueError("options are a JSON object")
    rules = rules_of(name, options)
    board = rules.board(rest[end:].strip())
    turn, _, told = parts[1].partition(" ")
    scores = tuple(None if each == _NONE else int(each) for each in told.split(","))
    seat = int(turn) - 1
    if not 0 <= seat < len(scores):
        raise ValueError(f"there is no seat {turn} among {len(scores)}")
    throw = None if parts[2] == _NONE else rules.check_throw(Throw(dice_of(parts[2], rules.sides)))
    return Position(rules, board, seat, scores, throw)
