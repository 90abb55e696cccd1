"""What may stand on the tiles of a simulated box instead of numbers: letters, colours, the owner's pictures."""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from controller.game import GameStarted
from controller.rules import NO_MARKS, Layout, Marks, rules_of
from controller.web.pages.scene import COLOURS, DrawnMark, TilePictures, draw_sign
from controller.words import Words

MarkKind = Literal["numbers", "letters", "colours", "pictures"]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)
_DRAWN = 4  # marks of a set that are shown where it is chosen


@dataclass(frozen=True, slots=True)
class MarkSet:
    """One set of marks as it is chosen. drawn: its first marks. chosen: it stood on the tiles last time."""

    kind: MarkKind
    title: str
    drawn: tuple[DrawnMark, ...]
    chosen: bool


def mark_sets(last: GameStarted | None, layout: Layout, pictures: TilePictures, words: Words) -> tuple[MarkSet, ...]:
    """The sets to choose from; none for dominoes, which are known by their pips. last: how the game was started."""
    if layout.dominoes:
        return ()
    signs = {kind: signs_of(kind, pictures) for kind in MARK_KINDS}
    chosen = _kind_of(last, pictures)
    return tuple(
        MarkSet(kind, _title(kind, words), _draw(signs[kind], pictures), kind == chosen)
        for kind in signs
        if signs[kind]
    )


def marks_for(layout: Layout, signs: Sequence[str]) -> Marks:
    """The marks of a game whose tile 1 bears the first of these signs, in every row; further tiles keep numbers."""
    if layout.dominoes:
        return NO_MARKS
    tiles = {name: signs[tile.value - 1] for name, tile in layout.by_name.items() if tile.value <= len(signs)}
    return Marks({name: sign for name, sign in tiles.items() if not sign.isdecimal()})


def signs_of(kind: MarkKind, pictures: TilePictures) -> tuple[str, ...]:
    """The signs of a set, from the one that stands for 1."""
    match kind:
        case "numbers":
            return tuple(string.digits[1:])
        case "letters":
            return tuple(string.ascii_uppercase)
        case "colours":
            return COLOURS
    return pictures.marks()


def _kind_of(last: GameStarted | None, pictures: TilePictures) -> MarkKind:
    """The set with which a game was started; numbers for marks that are none of these sets."""
    if last is not None and last.marks.tiles:
        layout = rules_of(last.game, last.options).layout
        for kind in MARK_KINDS:
            if marks_for(layout, signs_of(kind, pictures)).tiles == last.marks.tiles:
                return kind
    return "numbers"


def _draw(signs: Sequence[str], pictures: TilePictures) -> tuple[DrawnMark, ...]:
    return tuple(pictures.picture_of(sign) or draw_sign(sign) for sign in signs[:_DRAWN])


def _title(kind: MarkKind, words: Words) -> str:
    _ = words.gettext
    return {
        "numbers": _("Numbers"),
        "letters": _("Letters, A for 1"),
        "colours": _("Colours, red for 1"),
        "pictures": _("Pictures of your own"),
    }[kind]
