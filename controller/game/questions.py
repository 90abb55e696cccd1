"""Questions about moves and odds from a command line or a file: how they are read, and the answer about legal moves.

The odds are answered in `controller.strategy.hints`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, StrictInt, StrictStr, ValidationError

from controller.game.families import check_known
from controller.game.snapshot import Snapshot
from controller.game.variants import DEFAULT_GAME, GameChoice, read_marks
from controller.rules import (
    GAMES,
    NO_MARKS,
    Board,
    InvalidNotation,
    InvalidOption,
    Marks,
    Move,
    Ruleset,
    Throw,
    rules_of,
)
from hardware.toml_file import describe_mistake

# The line for who asks for the odds while `Snapshot.hints` is False.
NO_HINTS = "it was agreed that nobody is told the odds in this game"


class Question(BaseModel):
    """One line of a batch, with the words of the command line as keys.

    `aim`, `curve`, `players` and `scores` belong to questions about the odds; a file may serve both, so the rules
    pass over them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: StrictStr = DEFAULT_GAME
    set: dict[str, StrictBool | StrictInt | StrictStr] = {}
    board: StrictStr | None = None
    throw: list[StrictInt] | StrictStr | None = None
    marks: Annotated[Marks, BeforeValidator(read_marks)] = NO_MARKS
    aim: StrictStr | None = None
    curve: StrictBool | None = None
    players: StrictInt | None = None
    scores: list[StrictInt] | None = None

    @classmethod
    def about(cls, choice: GameChoice, **words: object) -> Self:
        """A question from the command line. Raises `InvalidNotation` in one line."""
        try:
            return cls.model_validate({"game": choice.game, "set": choice.options, "marks": choice.marks, **words})
        except ValidationError as error:
            first = error.errors()[0]
            raise InvalidNotation(f"{first['loc'][0]}: {describe_mistake(first)}") from error

    def rules(self) -> Ruleset:
        """The rules it is about. Raises `InvalidOption`."""
        if self.game not in GAMES:
            check_known(self.game)
            raise InvalidOption(f"{self.game} is a race without tiles, in which nothing like that is asked")
        return rules_of(self.game, self.set, self.marks)

    def parse_board(self, rules: Ruleset) -> Board:
        """The board it is about; the start where it names none. Raises `InvalidNotation`."""
        return rules.start() if self.board is None else rules.board(self.board)

    def parse_throw(self, rules: Ruleset) -> Throw:
        """The throw it is about. Raises `InvalidNotation`, also where there is none."""
        if self.throw is None:
            raise InvalidNotation("a throw is needed, such as 5,3")
        if isinstance(self.throw, str):
            return rules.throw(self.throw)
        return rules.check_throw(Throw(tuple(self.throw)))


def question_now(snapshot: Snapshot) -> Question | None:
    """The question about the odds that a player would ask at this moment; None where there is none.

    It is there before a throw and while tiles are chosen: of the turn, and of single throws in rotation of the race.
    """
    if snapshot.game is None or snapshot.rolling or snapshot.phase not in ("awaiting_throw", "choosing"):
        return None
    choice = GameChoice(snapshot.game, snapshot.options, snapshot.marks)
    throw = list(snapshot.throw) if snapshot.phase == "choosing" else None
    return Question.about(choice, board=snapshot.board, throw=throw, **_race_in(snapshot))


def _race_in(snapshot: Snapshot) -> dict[str, object]:
    """What a question lacks where players throw in rotation: a turn by itself comes to nothing there."""
    playing = sum(seat.plays for seat in snapshot.seats)
    if snapshot.options.get("race") != "rotation" or playing < 2:
        return {}
    return {"aim": "win", "players": playing}


def parse_settings(words: Sequence[str]) -> Mapping[str, str]:
    """`name=value` words as a mapping. Raises `InvalidOption`."""
    for word in words:
        if "=" not in word:
            raise InvalidOption(f"--set {word!r}: say NAME=VALUE, such as reveal=same_throw")
    pairs = [word.split("=", 1) for word in words]
    found = {name.strip(): value.strip() for name, value in pairs}
    if len(found) < len(pairs):
        raise InvalidOption("--set: an option is given twice")
    return found


def names_of(moves: Iterable[Move]) -> list[list[str]]:
    """Moves as the names of their tiles."""
    return [[tile.name for tile in move] for move in moves]


def legal_moves(question: Question) -> dict[str, Any]:
    """`{"moves": [[tile, ...], ...], "turn_over": bool}`. Raises `RulesError`."""
    rules = question.rules()
    throw = question.parse_throw(rules)
    moves = rules.legal_moves(question.parse_board(rules), throw)
    return {"moves": names_of(moves), "turn_over": not moves}
