"""The sets of marks for the tiles of a simulated box: numbers, letters, colours, the owner's pictures."""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from controller.game.core.events import GameStarted
from controller.rules.marks import NO_MARKS, Marks
from controller.rules.ruleset import rules_of
from controller.rules.tiles import Layout
from controller.web.pages.scene.marks import COLOURS, DrawnMark, TilePictures, draw_sign
from controller.words.words import Words

MarkKind = Literal["numbers", "letters", "colours", "pictures"]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)
_DRAWN = 4  # marks of each set that are shown in the choice


@dataclass(frozen=True, slots=True)
class MarkSet:
    """One set of marks in the choice. drawn: its first marks. chosen: it was on the tiles last time."""

    kind: MarkKind
    title: str
    drawn: tuple[DrawnMark, ...]
    chosen: bool


def mark_sets(last: GameStarted | None, layout: Layout, pictures: TilePictures, words: Words) -> tuple[MarkSet, ...]:
    """Return the sets to choose from; none for dominoes, which are known by their pips. last: the last start."""
    if layout.dominoes:
        return ()
    _ = words.gettext
    titles: dict[MarkKind, str] = {
        "numbers": _("Numbers"),
        "letters": _("Letters, A for 1"),
        "colours": _("Colours, red for 1"),
        "pictures": _("Pictures of your own"),
    }
    chosen = _kind_of(last, pictures)
    found = []
    for kind, title in titles.items():
        if signs := signs_of(kind, pictures):
            drawn = tuple(pictures.picture_of(sign) or draw_sign(sign) for sign in signs[:_DRAWN])
            found.append(MarkSet(kind, title, drawn, kind == chosen))
    return tuple(found)


def marks_for(layout: Layout, signs: Sequence[str]) -> Marks:
    """Return the marks of a game whose tiles, from 1 on in every row, bear these signs; other tiles keep numbers."""
    if layout.dominoes:
        return NO_MARKS
    tiles = {name: signs[tile.value - 1] for name, tile in layout.by_name.items() if tile.value <= len(signs)}
    return Marks({name: sign for name, sign in tiles.items() if not sign.isdecimal()})


def signs_of(kind: MarkKind, pictures: TilePictures) -> tuple[str, ...]:
    """Return the signs of a set, beginning with the one for 1."""
    match kind:
        case "numbers":
            return tuple(string.digits[1:])
        case "letters":
            return tuple(string.ascii_uppercase)
        case "colours":
            return COLOURS
    return pictures.marks()


def _kind_of(last: GameStarted | None, pictures: TilePictures) -> MarkKind:
    """Return the set with which a game was started; numbers for marks that match no set."""
    if last is not None and last.marks.tiles:
        layout = rules_of(last.game, last.options).layout
        for kind in MARK_KINDS:
            if marks_for(layout, signs_of(kind, pictures)).tiles == last.marks.tiles:
                return kind
    return "numbers"
