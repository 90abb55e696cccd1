"""Changes of a box profile: as a difference that a person reads, and as the profile's text with its comments kept."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

import tomlkit

from hardware.box import Box, parse_box
from hardware.errors import BoxProfileError

Value = str | bool | float
"""What a key of a profile says; wires and addresses as they are written there."""


@dataclass(frozen=True, slots=True)
class Change:
    """One key of a profile, what it said and what it is to say, and why. after: None: the key goes."""

    key: tuple[str, ...]
    before: Value | None
    after: Value | None
    why: str

    @property
    def name(self) -> str:
        return ".".join(self.key)

    def __str__(self) -> str:
        return f"{self.name}: {_said(self.before)} -> {_said(self.after)}"


def change_box(box: Box, changes: Iterable[Change]) -> Box:
    """Return the box with the changes; its other values stay, also those that no file says."""
    data = json.loads(box.model_dump_json())
    for change in changes:
        *path, name = change.key
        place = data
        for part in path:
            place = place[part]
        if change.after is None:
            del place[name]
        else:
            place[name] = change.after
    return Box.model_validate_json(json.dumps(data))


def rewrite_profile(text: str, changes: Iterable[Change], file: str) -> str:
    """Return the text of a profile with the changes, checked; comments and order stay.

    file: its name in error messages. Raises `BoxProfileError` if the profile would not be one any more.
    """
    try:
        document = tomlkit.parse(text)
        for change in changes:
            *path, name = change.key
            place = document
            for part in path:
                place = place.setdefault(part, tomlkit.table())
            if change.after is None:
                del place[name]
            else:
                place[name] = change.after
        changed = tomlkit.dumps(document)
    except tomlkit.exceptions.TOMLKitError as error:
        raise BoxProfileError(file, 0, f"cannot be changed: {error}") from error
    parse_box(changed, file)
    return changed


def _said(value: Value | None) -> str:
    if value is None:
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else str(value)
