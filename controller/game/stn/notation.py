"""The words of STN below a line: tiles and dice. docs/reference/stn.md is the grammar.

A tile is one sign for its number, `1` to `9` and `A` (10) to `O` (24), and before it the letter of its row where that
is not the front one: `b`, `c` ... A domino is its two pips. Dice are their faces, one digit each; where a die has more
than nine faces, parted by commas.
"""

import re
from collections.abc import Iterable, Sequence

from controller.rules.tiles import Layout, Tile

_ROWS = "abcdef"
_SIGNS = "123456789ABCDEFGHIJKLMNO"
_ROW_NAMES = {"a": "front", "b": "back"}
# A turn or a round that is longer goes on in a further line: well below the longest that is read.
FULL_LINE = 4_000
_MOST_DIGITS = 9  # faces that one digit can tell
_TILE = re.compile("[b-f]?[1-9A-O]")
_DOMINO = re.compile("[0-6][0-6]")


def dice_text(dice: Sequence[int], sides: int) -> str:
    """Return dice of so many sides as text."""
    return ("," if sides > _MOST_DIGITS else "").join(map(str, dice))


def dice_of(text: str, sides: int) -> tuple[int, ...]:
    """Return the faces that `dice_text` has written. Raises `ValueError`."""
    return tuple(int(face) for face in (text.split(",") if sides > _MOST_DIGITS else text))


def tiles_text(names: Iterable[str], layout: Layout) -> str:
    """Return tiles as text, in the order in which they are given; `-` for none."""
    return "".join(name.replace("-", "") if layout.dominoes else _short(layout.by_name[name]) for name in names) or "-"


def tiles_of(text: str, layout: Layout) -> tuple[str, ...]:
    """Return the names of the tiles that `tiles_text` has written. Raises `ValueError`."""
    if text == "-":
        return ()
    words = (_DOMINO if layout.dominoes else _TILE).findall(text)
    names = tuple("-".join(word) if layout.dominoes else _long(word) for word in words)
    wrong = next((name for name in names if name not in layout.by_name), None)
    if "".join(words) != text or wrong is not None or len(set(names)) < len(names):
        example = tiles_text(list(layout.by_name)[-2:], layout)
        raise ValueError(f"{text!r} tells no tiles of this game, two of which are {example}")
    return names


def _short(tile: Tile) -> str:
    row = "" if tile.row == 1 else _ROWS[tile.row - 1]
    return f"{row}{_SIGNS[int(tile.name.rpartition('-')[2]) - 1]}"


def _long(word: str) -> str:
    row, number = word[:-1] or "a", _SIGNS.index(word[-1]) + 1
    return f"{_ROW_NAMES.get(row, f'row{_ROWS.index(row) + 1}')}-{number}"
