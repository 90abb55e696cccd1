"""Lists, names of tiles and of games as people read them, in their language."""

from collections.abc import Sequence
from typing import Protocol

from controller.words import Words


class Placed(Protocol):
    """What bears a mark and stands in a row (1: in front)."""

    @property
    def mark(self) -> str:
        """Its mark."""

    @property
    def row(self) -> int:
        """Its row."""


def say_list(items: Sequence[str], words: Words) -> str:
    """A list as one says it: `a`, `a and b`, `a, b and c`; nothing for no items."""
    if len(items) < 2:
        return "".join(items)
    return words.gettext("{list} and {last}").format(list=", ".join(items[:-1]), last=items[-1])


def say_tile(tile: Placed, words: Words) -> str:
    """A tile as people call it: its mark, and where it stands unless that is in front."""
    _ = words.gettext
    if tile.row == 1:
        return tile.mark
    place = _("the {mark} behind") if tile.row == 2 else _("the {mark} in row {row}")
    return place.format(mark=tile.mark, row=tile.row)


def title_of(game: str, words: Words) -> str:
    """The name of a game for people, by the one that programs know."""
    return words.gettext(game.replace("-", " ").capitalize())
