"""Questions about the rules from a command line or a file of JSON Lines, and their answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr

from controller.rules import Board, InvalidNotation, InvalidOption, Ruleset, Throw, rules_of


class Question(BaseModel):
    """One line of a batch, with the words of the command line as keys.

    `aim` belongs to questions about the odds; a file may serve both, so the rules pass over it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: StrictStr = "two-level"
    set: dict[str, StrictBool | StrictInt | StrictStr] = {}
    board: StrictStr | None = None
    throw: list[StrictInt] | StrictStr | None = None
    aim: StrictStr | None = None

    def rules(self) -> Ruleset:
        """The rules it is about. Raises `InvalidOption`."""
        return rules_of(self.game, self.set)

    def position(self, rules: Ruleset) -> Board:
        """The board it is about; the start where it names none. Raises `InvalidNotation`."""
        return rules.start() if self.board is None else rules.board(self.board)

    def thrown(self, rules: Ruleset) -> Throw:
        """The throw it is about. Raises `InvalidNotation`, also where there is none."""
        if self.throw is None:
            raise InvalidNotation("a throw is needed, such as 5,3")
        if isinstance(self.throw, str):
            return rules.throw(self.throw)
        return rules.checked(Throw(tuple(self.throw)))


def parse_settings(words: Sequence[str]) -> Mapping[str, str]:
    """`name=value` words as a mapping. Raises `InvalidOption`."""
    for word in words:
        if "=" not in word:
            raise InvalidOption(f"--set {word!r}: say NAME=VALUE, such as reveal=same_throw")
    pairs = [word.split("=", 1) for word in words]
    if len({name for name, _ in pairs}) < len(pairs):
        raise InvalidOption("--set: an option is given twice")
    return {name.strip(): value.strip() for name, value in pairs}


def legal_moves(question: Question) -> dict[str, Any]:
    """`{"moves": [[tile, ...], ...], "turn_over": bool}`. Raises `RulesError`."""
    rules = question.rules()
    throw = question.thrown(rules)
    moves = rules.legal_moves(question.position(rules), throw)
    return {"moves": [[tile.name for tile in move] for move in moves], "turn_over": not moves}
