"""Questions about moves and odds from a command line or a file: how they are read, and the answer about legal moves.

The odds are answered in `controller.opponents.hints` and `controller.opponents.hints`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, StrictBool, StrictInt, StrictStr, ValidationError

from controller.errors import NotNow
from controller.game.core.english import join_and
from controller.game.table.engines import engine_named
from controller.game.table.snapshot import Snapshot
from controller.game.table.variants import DEFAULT_GAME, GameChoice, read_marks
from controller.rules.board import Board
from controller.rules.errors import InvalidNotation, InvalidOption
from controller.rules.fleet.combinations import COMBINATIONS, Combination
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.ruleset import FleetRules, fleet_rules_of
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Move, Ruleset, rules_of
from controller.rules.throw import Throw
from controller.rules.tiles import NO_MARKS, Marks
from hardware.toml_file import describe_mistake

# The line for who asks for the odds while `Snapshot.hints` is False.


def check_hints(*, are_told: bool) -> None:
    """Raise `NotNow` in a game whose players agreed that the box tells no odds."""
    if not are_told:
        raise NotNow("it was agreed that nobody sees the odds in this game")


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
            engine_named(self.game)
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
    race: dict[str, object] = {}
    playing = sum(seat.plays for seat in snapshot.seats)
    if snapshot.options.get("race") == "rotation" and playing > 1:
        # Where players throw in rotation, a turn by itself comes to nothing.
        race = {"aim": "win", "players": playing}
    return Question.about(choice, board=snapshot.board, throw=throw, **race)


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


FleetFaces = list[StrictInt | StrictStr] | StrictStr
# The one aim there is: few throws.
AIM = "throws"


class FleetQuestion(BaseModel):
    """One line of a batch, with the words of the command line as keys. Dice are a text, or a list of their faces."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: StrictStr
    set: dict[str, StrictBool | StrictInt | StrictStr] = {}
    combination: StrictStr | None = None
    throw: FleetFaces | None = None
    kept: FleetFaces | None = None
    aim: StrictStr | None = None

    @classmethod
    def about(cls, choice: GameChoice, **words: object) -> Self:
        """A question from the command line; a word that is None was not said. Raises `InvalidNotation` in one line."""
        given = {name: word for name, word in words.items() if word is not None}
        foreign = [name for name in given if name not in cls.model_fields]
        foreign += ["marks"] if choice.marks != NO_MARKS else []
        if foreign:
            raise InvalidNotation(f"{choice.game} is a race without tiles: leave out {join_and(foreign)}")
        try:
            return cls.model_validate({"game": choice.game, "set": choice.options, **given})
        except ValidationError as error:
            first = error.errors()[0]
            raise InvalidNotation(f"{first['loc'][0]}: {describe_mistake(first)}") from error

    def rules(self) -> FleetRules:
        """The rules it is about. Raises `InvalidOption`, also for an aim that this game has not."""
        if self.aim not in (None, AIM):
            raise InvalidOption(f"no aim {self.aim!r} in {self.game}; there is {AIM}")
        return fleet_rules_of(self.game, self.set)

    def parse_combination(self, rules: FleetRules) -> Combination:
        """The combination it is about. Raises `InvalidNotation`, also where it names none."""
        if self.combination is None:
            raise InvalidNotation(f"a combination is needed, one of {', '.join(COMBINATIONS)}")
        return rules.combination(self.combination)

    def parse_kept(self, rules: FleetRules) -> Dice:
        """The dice kept before the throw, 0 to 5; none where it names none. Raises `RulesError`."""
        kept = _dice(rules, self.kept or "")
        if len(kept) and rules.options.keeping == "unfrozen":
            raise InvalidOption("kept: with keeping=unfrozen no die is kept for good; say all six as the throw")
        if len(kept) == SET_SIZE:
            raise InvalidNotation(f"kept {kept}: with all {SET_SIZE} kept there is nothing to throw")
        return kept

    def parse_throw(self, rules: FleetRules, kept: Dice) -> Dice | None:
        """The throw of the dice that were not kept; None before it. Raises `InvalidNotation`."""
        return None if self.throw is None else rules.check_throw(_dice(rules, self.throw), kept)


def _dice(rules: FleetRules, faces: Sequence[int | str] | str) -> Dice:
    return rules.dice(faces) if isinstance(faces, str) else Dice.of_words(faces, rules.card.joker)
