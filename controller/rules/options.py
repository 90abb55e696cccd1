"""Options of a game (`--set NAME=VALUE`): the values a player may choose, and how a choice becomes a field.

Every reading of an unclear word of a document is an option. The options that a game has are part of its preset
(`games.py`, `fleet/cards.py`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from controller.rules.errors import InvalidOption, describe_known

Value = str | int | bool
Record = TypeVar("Record")  # a dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of one game: its name, its default, the allowed values and its meaning."""

    name: str
    default: Value
    allowed: tuple[Value, ...]
    meaning: str

    def read(self, given: object) -> Value:
        """Return `given` (text from the command line, or a JSON value) as one of the allowed values.

        Raises `InvalidOption` that lists them.
        """
        for value in self.allowed:
            # In Python True == 1, but `stake=true` must not mean one coin.
            if given == value and isinstance(given, bool) == isinstance(value, bool):
                return value
            if isinstance(given, str) and given == _text(value):
                return value
        raise InvalidOption(f"{self.name}={_text(given)} is not possible; allowed are {self.allowed_text}")

    @property
    def allowed_text(self) -> str:
        """The allowed values as text; a run of numbers is given by its ends."""
        first, last = self.allowed[0], self.allowed[-1]
        if isinstance(first, int) and len(self.allowed) > 4 and len(self.allowed) == int(last) - first + 1:
            return f"{first} to {last}"
        return ", ".join(map(_text, self.allowed))


# The command line calls the width of a one-row box `tiles`; the rules know it as `columns`.
_FIELD = {"tiles": "columns"}


def read_choices(choices: Iterable[Choice], given: Mapping[str, object]) -> dict[str, Value]:
    """Return every option of a game by name: as `given`, else its default. Raises `InvalidOption`."""
    known = {choice.name: choice for choice in choices}
    for name in given:
        if name not in known:
            raise InvalidOption(f"no option {name!r} in this game; {describe_known(known, name, 'it has')}")
    return {name: choice.read(given.get(name, choice.default)) for name, choice in known.items()}


def apply_choices(base: Record, chosen: Mapping[str, Value]) -> Record:
    """Return `base`, a dataclass, with the chosen values in those of its fields that were chosen."""
    record: Any = base
    known = {each.name for each in fields(record)}
    values: dict[str, Any] = {_FIELD.get(name, name): value for name, value in chosen.items()}
    changed: Record = replace(record, **{name: value for name, value in values.items() if name in known})
    return changed


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
