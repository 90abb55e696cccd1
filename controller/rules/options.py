"""The options of a game: every reading of an unclear word, with its default.

An option is data: a name, the values allowed, the default. A game's preset lists the ones it has.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from controller.rules.errors import InvalidOption

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of one game: its name, its default, the values allowed and what it is about."""

    name: str
    default: Value
    allowed: tuple[Value, ...]
    meaning: str

    def read(self, given: object) -> Value:
        """`given` (a text from the command line, or a JSON value) as one of the allowed values.

        Raises `InvalidOption` that lists them.
        """
        for value in self.allowed:
            if given == value and isinstance(given, bool) == isinstance(value, bool):
                return value
            if isinstance(given, str) and given == _text(value):
                return value
        allowed = ", ".join(map(_text, self.allowed))
        raise InvalidOption(f"{self.name}={_text(given)} is not possible; allowed are {allowed}")


@dataclass(frozen=True, slots=True)
class Options:
    """What is chosen for one game. Fields that a game does not offer keep the value here.

    rows, columns: the tiles. dice: how many dice a full throw has.
    one_die: when a single die may be thrown; one_die_limit: the T of `at_most`; one_die_total: which tiles
    count for it; one_die_forced: may (False) or must (True).
    reveal: when a tile that comes to light may be used. score: what an open tile costs.
    max_tiles: the most tiles one throw may shut (0: no limit). carry_board: the next player goes on with the
    board as it is. shut: whether shutting the box ends the round at once.
    """

    rows: int = 1
    columns: int = 9
    dice: int = 2
    one_die: Literal["never", "only1", "high_covered", "at_most"] = "never"
    one_die_limit: int = 6
    one_die_total: Literal["standing", "showing"] = "standing"
    one_die_forced: bool = False
    reveal: Literal["next_throw", "same_throw"] = "next_throw"
    score: Literal["showing", "standing", "double_front"] = "showing"
    max_tiles: int = 0
    carry_board: bool = False
    shut: Literal["immediate", "play_on"] = "immediate"


# The command line's word for the width of a one-row box is `tiles`; the engine knows columns.
_FIELD = {"tiles": "columns"}


def read_choices(choices: Iterable[Choice], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option of a game by name: as `given`, else its default. Raises `InvalidOption`."""
    known = {choice.name: choice for choice in choices}
    for name in given:
        if name not in known:
            raise InvalidOption(f"no option {name!r} in this game; it has {', '.join(known)}")
    return {name: choice.read(given.get(name, choice.default)) for name, choice in known.items()}


def apply_choices(base: Options, chosen: Mapping[str, Value]) -> Options:
    """`base` with the fields that were chosen."""
    values: dict[str, Any] = {_FIELD.get(name, name): value for name, value in chosen.items()}
    return replace(base, **values)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
