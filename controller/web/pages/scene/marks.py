"""The marks of tiles: a number, letters, a colour, the pips of a domino, or a picture from the owner."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from controller.rules.dominoes import pips_named
from controller.rules.marks import is_mark

MarkKind = Literal["text", "pips", "colour", "picture"]
# Marks that are shown as a colour with its name; the style sheet has a rule for each.
_OF_THE_RAINBOW = ("red", "orange", "yellow", "green", "turquoise", "blue", "purple")
COLOURS = (*_OF_THE_RAINBOW, "pink", "brown", "black", "grey", "white", "gold", "silver")
# The suffixes of pictures, with their media types. No SVG: it may contain a script.
TYPES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}
_MOST_BYTES = 300_000  # per picture: every phone loads all of them


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A mark as it is drawn. text: the mark itself. picture: its address. pips: on the two halves of a domino."""

    text: str
    kind: MarkKind = "text"
    picture: str = ""
    pips: tuple[int, ...] = ()


class TilePictures:
    """The pictures that an owner has put into a folder, each named after the mark that it replaces.

    `sun.png` is drawn on the tile that bears `sun`. The folder is read when a game begins.

    Lifetime: that of the application. Concurrency: one event loop.
    """

    def __init__(self, folder: Path | None) -> None:
        """`folder`: need not exist; None if there are no pictures."""
        self._folder = folder
        self._game = -1
        self._found: Mapping[str, tuple[Path, str]] = {}

    def draw(self, mark: str, *, game_id: int, dominoes: bool) -> DrawnMark:
        """Return a mark as it is drawn in this game."""
        if game_id != self._game and self._folder is not None:
            self._game, self._found = game_id, dict(_list(self._folder))
        if picture := self.picture_of(mark):
            return picture
        # A domino may bear a mark of the owner's instead of pips.
        if dominoes and (pips := pips_named(mark)):
            return DrawnMark(mark, "pips", pips=pips)
        return draw_sign(mark)

    def picture_of(self, mark: str) -> DrawnMark | None:
        """Return the picture of a mark; None if it has none."""
        return DrawnMark(mark, "picture", self._found[mark][1]) if mark in self._found else None

    def marks(self) -> tuple[str, ...]:
        """Read the folder and return the marks with a picture, in alphabetical order, except for plain numbers."""
        if self._folder is not None:
            self._found = dict(_list(self._folder))
        return tuple(mark for mark in self._found if is_mark(mark) and not mark.isdecimal())

    def path_of(self, mark: str) -> Path | None:
        """Return the file of a mark's picture; None if it has none."""
        return self._found[mark][0] if mark in self._found else None


def draw_sign(mark: str) -> DrawnMark:
    """Return a mark that has neither picture nor pips."""
    return DrawnMark(mark, "colour" if mark.lower() in COLOURS else "text")


def _list(folder: Path) -> Iterator[tuple[str, tuple[Path, str]]]:
    try:
        files = sorted(folder.iterdir())
    except OSError:
        return  # most boxes have no such folder
    for file in files:
        try:
            if file.suffix.lower() in TYPES and file.is_file() and file.stat().st_size <= _MOST_BYTES:
                # A changed picture gets another address, so browsers may cache it for good.
                yield file.stem, (file, f"/tiles/{quote(file.stem, safe='')}?{file.stat().st_mtime_ns:x}")
        except OSError:
            continue
