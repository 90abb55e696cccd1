"""What stands on a tile: a number, letters, a colour, the pips of a domino, or a picture that the owner has given."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from controller.rules import is_mark, pips_named

MarkKind = Literal["text", "pips", "colour", "picture"]
# Marks that are shown as a colour with its name; the sheet knows how each of them looks.
_OF_THE_RAINBOW = ("red", "orange", "yellow", "green", "turquoise", "blue", "purple")
COLOURS = (*_OF_THE_RAINBOW, "pink", "brown", "black", "grey", "white", "gold", "silver")
# The files that may be pictures, and what they are sent as. No SVG: it may hold a script.
TYPES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}
_MOST_BYTES = 300_000  # of one picture: every phone loads all of them


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A mark as it is drawn. text: the mark itself. picture: its address. pips: of the two halves of a domino."""

    text: str
    kind: MarkKind = "text"
    picture: str = ""
    pips: tuple[int, ...] = ()


class TilePictures:
    """The pictures that an owner has put into a folder, each named after the mark in whose place it is drawn.

    `sun.png` is drawn on the tile that bears `sun`. The folder is looked at when a game begins.

    Lifetime: as the application. Concurrency: one event loop.
    """

    def __init__(self, folder: Path | None) -> None:
        """`folder` None: there are none; it need not exist."""
        self._folder = folder
        self._game = -1
        self._found: Mapping[str, tuple[Path, str]] = {}

    def draw(self, mark: str, *, game_id: int, dominoes: bool) -> DrawnMark:
        """How a mark is drawn in this game."""
        self._look_for(game_id)
        if picture := self.picture_of(mark):
            return picture
        # The owner's own marks may stand on dominoes, too.
        if dominoes and (pips := pips_named(mark)):
            return DrawnMark(mark, "pips", pips=pips)
        return draw_sign(mark)

    def picture_of(self, mark: str) -> DrawnMark | None:
        """A mark as its picture; None where it has none."""
        return DrawnMark(mark, "picture", self._found[mark][1]) if mark in self._found else None

    def marks(self) -> tuple[str, ...]:
        """The marks that have a picture, by the alphabet, as the folder is now; no numbers, which bear themselves."""
        if self._folder is not None:
            self._found = dict(_list(self._folder))
        return tuple(mark for mark in self._found if is_mark(mark) and not mark.isdecimal())

    def path_of(self, mark: str) -> Path | None:
        """The file of a mark's picture; None where it has none."""
        return self._found[mark][0] if mark in self._found else None

    def _look_for(self, game_id: int) -> None:
        if game_id == self._game or self._folder is None:
            return
        self._game, self._found = game_id, dict(_list(self._folder))


def draw_sign(mark: str) -> DrawnMark:
    """A mark that has neither picture nor pips."""
    return DrawnMark(mark, "colour" if mark.lower() in COLOURS else "text")


def _list(folder: Path) -> Iterator[tuple[str, tuple[Path, str]]]:
    try:
        files = sorted(folder.iterdir())
    except OSError:
        return  # most boxes have none
    for file in files:
        try:
            if file.suffix.lower() in TYPES and file.is_file() and file.stat().st_size <= _MOST_BYTES:
                # After a change it has another address, so that browsers may keep it.
                yield file.stem, (file, f"/tiles/{quote(file.stem, safe='')}?{file.stat().st_mtime_ns:x}")
        except OSError:
            continue
