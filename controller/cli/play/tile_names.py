"""Tiles as people type them: by their names, in short, or as a list shows them."""

import re
from collections.abc import Iterable, Iterator


class NotUnderstood(ValueError):
    """A line that means nothing here. The message says why; after `asks_hint` the seat shows what can be typed."""

    def __init__(self, message: str, *, asks_hint: bool = False) -> None:
        super().__init__(message)
        self.asks_hint = asks_hint


_SHORT = re.compile(r"([fb])-?(\d{1,2})")
_ROWS = {"f": "front", "b": "back"}
_ROW = re.compile(r"front|back|row\d")


def parse_tiles(typed: Iterable[str]) -> Iterator[str]:
    """Parse tiles by their names, by `f7`, or as a list shows them: `front 1 3, back 8`."""
    row = ""
    for word in typed:
        if _ROW.fullmatch(word):
            row = word
        else:
            yield f"{row}-{word}" if row and word.isdigit() else _parse_tile(word)


def _parse_tile(word: str) -> str:
    match = _SHORT.fullmatch(word)
    return f"{_ROWS[match[1]]}-{match[2]}" if match else word


def shorten(tile: str) -> str:
    """Return `f7` for `front-7`, if the tile has such a form."""
    short = tile[:1] + tile.partition("-")[2]
    return short if _parse_tile(short) == tile else tile
