"""Players' own variants: a game's options and marks in a TOML file, checked like a box profile.

game = "pub"
[options]
one_die = "never"
stake = 5
[marks]                        # or a file of its own, for --marks
faces = ["a", "b", "c", "d", "e", "f"]
tiles = { front-1 = "sun" }
values = { sun = 1 }
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from controller.errors import VariantError
from controller.game.table.engines import any_rules_of, known_games
from controller.rules.errors import RulesError, describe_known
from controller.rules.tiles import NO_MARKS, Marks
from hardware.toml_file import File, FileProblem, describe_mistake, line_of, parse_toml, read_plain_text

DEFAULT_GAME = "two-level"


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game, the options given for it (the others have their defaults) and its marks.

    Plain values: a file and the command line may each give a part of it, and the rules check what comes of both.
    """

    game: str = DEFAULT_GAME
    options: Mapping[str, object] = field(default_factory=dict)
    marks: Marks = NO_MARKS


class _MarksFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    tiles: dict[str, StrictStr] = {}
    values: dict[str, StrictInt] = {}
    faces: tuple[StrictStr, ...] = ()

    def marks(self) -> Marks:
        """The marks as the rules have them."""
        return Marks(self.tiles, self.values, self.faces)


class _VariantFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    game: StrictStr
    options: dict[str, object] = {}  # the rules know best what each of them may be
    marks: _MarksFile = _MarksFile()


def load_variant(path: Path) -> GameChoice:
    """Read a variant. Raises `VariantError` with file, line and what is allowed."""
    text = _read_text(path)
    file = _parse(text, path, _VariantFile)
    known = known_games()
    if file.game not in known:
        line = line_of(text, ("game",))
        raise VariantError(f"{path}:{line}: no game {file.game!r}; {describe_known(known, file.game, 'the games are')}")
    choice = GameChoice(file.game, file.options, file.marks.marks())
    # One by one first: a mistake is told with the line of its option, not with that of the whole table.
    # The rows alone decide whether another option goes at all.
    rows = {"rows": file.options["rows"]} if "rows" in file.options else {}
    for name, value in file.options.items():
        _check(path, line_of(text, ("options", name)), GameChoice(file.game, {**rows, name: value}))
    _check(path, line_of(text, ("options",)), GameChoice(file.game, file.options))
    _check(path, line_of(text, ("marks",)), choice)
    return choice


def load_marks(path: Path) -> Marks:
    """Read a file of marks alone. Raises `VariantError` with file, line and what is allowed."""
    return _parse(_read_text(path), path, _MarksFile).marks()


def read_marks(given: object) -> Marks:
    """Marks as JSON has them, taken as strictly as those of a file. Raises `ValueError` in one line."""
    if isinstance(given, Marks):
        return given
    try:
        return _MarksFile.model_validate(given).marks()
    except ValidationError as error:
        first = error.errors()[0]
        where = "".join(f"{part}: " for part in first["loc"])
        raise ValueError(f"{where}{describe_mistake(first)}") from None


def _read_text(path: Path) -> str:
    try:
        return read_plain_text(path)
    except OSError as error:
        raise VariantError(f"{path} cannot be read: {error.strerror}") from error


def _parse(text: str, path: Path, model: type[File]) -> File:
    try:
        return parse_toml(text, model)
    except FileProblem as problem:
        raise VariantError(f"{path}:{problem.line}: {problem}") from problem


def _check(path: Path, line: int, choice: GameChoice) -> None:
    try:
        any_rules_of(choice.game, choice.options, choice.marks)
    except RulesError as error:
        raise VariantError(f"{path}:{line}: {error}") from error
