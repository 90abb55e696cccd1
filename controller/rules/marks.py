"""Marks: symbols on tiles and dice in place of numbers. The rules see values only."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from controller.rules.errors import InvalidNotation


# Source: S000, detailed description: the indicia "need not comprise numbers"; a rule for adding them must then be
# devised. Here that rule is a table of values.
@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a game.

    tiles: the mark of a tile by its name; a tile that is not named keeps its number. values: what a mark is
    worth (1..99); a mark without one is worth the number it replaces. faces: the marks of a die's faces, from
    the one worth 1 upwards; empty: numbers.
    """

    tiles: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)
    faces: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((frozenset(self.tiles.items()), frozenset(self.values.items()), self.faces))

    def face_of(self, word: str) -> str:
        """Return the number that a face's mark stands for, as text; any other word unchanged."""
        return str(self.faces.index(word) + 1) if word in self.faces else word


NO_MARKS = Marks()
_MARK = re.compile(r"[^\s,/]{1,12}")


def check_marks(marks: Marks, rows: Sequence[Sequence[tuple[str, str]]], sides: int) -> None:
    """Raise `InvalidNotation` unless the tiles of `rows` (name and mark of each) are distinct and readable."""
    known = {name for row in rows for name, _ in row}
    for name in marks.tiles:
        if name not in known:
            raise InvalidNotation(f"marks: no tile {name!r} in this game; it has {rows[0][0][0]} to {rows[-1][-1][0]}")
    for row in rows:
        _check_apart([mark for _, mark in row], "the tiles of one row")
    if marks.faces and len(marks.faces) != sides:
        raise InvalidNotation(f"marks: a die of this game has {sides} faces, not {len(marks.faces)}")
    _check_apart(marks.faces, "the faces of a die")
    used = {mark for row in rows for _, mark in row}
    for mark, value in marks.values.items():
        if mark not in used:
            raise InvalidNotation(f"marks: no tile bears {mark!r}")
        if not 1 <= value <= 99:
            raise InvalidNotation(f"marks: {mark} is worth 1 to 99, not {value}")


def is_mark(text: str) -> bool:
    """Return whether `text` can be a mark of a tile or a die and be read back."""
    return text != "." and text.isprintable() and _MARK.fullmatch(text) is not None


def _check_apart(marks: Sequence[str], where: str) -> None:
    for mark in marks:
        if not is_mark(mark):
            raise InvalidNotation(
                f"marks: {mark!r} cannot be read back; 1 to 12 letters or signs, no blanks, commas or slashes, not '.'"
            )
    if len(set(marks)) < len(marks):
        twice = next(mark for mark in marks if list(marks).count(mark) > 1)
        raise InvalidNotation(f"marks: {where} must differ, {twice!r} is there twice")
