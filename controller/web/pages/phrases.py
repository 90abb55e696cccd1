"""Numbers, times, lists and names of tiles as people read them, in their language."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from controller.box.set_up import SET_UP_PARTS, SetUpPart
from controller.game.table.snapshot import TileView
from controller.messages.names import mark_name
from controller.messages.words import Words
from controller.rules.board import Board
from hardware.box import Box

_MINUS, _NO_SCORE = "\u2212", "\u2013"
_WEEK = 7  # days that a weekday's name tells apart


class Placed(Protocol):
    """Anything with a mark and a row (1: in front)."""

    @property
    def mark(self) -> str: ...

    @property
    def row(self) -> int: ...


def say_number(value: float, words: Words, digits: int = 1) -> str:
    """Return a number with this many digits after its decimal point or comma."""
    return words.decimal(f"{value:.{digits}f}".replace("-", _MINUS))


def say_change(value: float, words: Words) -> str:
    """Return a difference with its sign; plain 0 if it rounds to zero."""
    text = say_number(abs(value), words)
    if text == say_number(0, words):
        return "0"
    return f"{'+' if value > 0 else _MINUS}{text}"


def say_score(score: int | None) -> str:
    """Return a score, or a dash for none yet."""
    return _NO_SCORE if score is None else str(score)


def say_tile(tile: Placed, words: Words) -> str:
    """Return a tile as people call it: its mark, and its row unless that is the front row."""
    _ = words.gettext
    if tile.row == 1:
        return mark_name(words, tile.mark)
    place = _("the {mark} behind") if tile.row == 2 else _("the {mark} in row {row}")
    return place.format(mark=mark_name(words, tile.mark), row=tile.row)


def say_tiles(tiles: Iterable[Placed], words: Words) -> str:
    return words.all_of(say_tile(tile, words) for tile in tiles)


def say_board(board: Board, words: Words) -> str:
    """Return the showing tiles of a board in a sentence."""
    if board.is_shut:
        return words.gettext("The box is shut.")
    return words.gettext("Open: {tiles}.").format(tiles=say_tiles(board.showing, words))


def say_throw(dice: Iterable[int], faces: Sequence[str] = ()) -> str:
    """Return a throw in short, the highest die first. faces: the marks of a die; empty for numbers."""
    return "·".join(faces[face - 1] if faces else str(face) for face in sorted(dice, reverse=True))


def say_dice(dice: Iterable[int], words: Words, faces: Sequence[str] = ()) -> str:
    """Return a throw as it is spoken, the highest die first."""
    return words.all_of(faces[face - 1] if faces else str(face) for face in sorted(dice, reverse=True))


def name_tile(tile: Placed, rows: int, words: Words) -> str:
    """Return a tile with its place in a box with this many rows: `5 in front`, or `5` if there is only one row."""
    _ = words.gettext
    if rows == 1:
        return mark_name(words, tile.mark)
    place = {1: _("{mark} in front"), 2: _("{mark} behind")}.get(tile.row, _("{mark} in row {row}"))
    return place.format(mark=mark_name(words, tile.mark), row=tile.row)


def name_tiles(tiles: Collection[TileView], words: Words) -> Mapping[str, str]:
    """Return all tiles of a box as `name_tile` names them, by their wire labels."""
    rows = max((tile.row for tile in tiles), default=1)
    return {tile.name: name_tile(tile, rows, words) for tile in tiles}


def describe_box(box: Box, words: Words) -> str:
    """Return the size of a box in a few words."""
    if box.kind == "dominoes":
        return words.ngettext("{count} domino", "{count} dominoes", box.columns).format(count=box.columns)
    if box.rows == 1:
        return words.ngettext("one row of {columns} tile", "one row of {columns} tiles", box.columns).format(
            columns=box.columns
        )
    return words.gettext("{rows} rows of {columns} tiles").format(rows=box.rows, columns=box.columns)


def say_when(at: str, now: datetime, words: Words) -> str:
    """Return a past time (ISO 8601) as it is spoken at `now`, by the clock of the box; empty for invalid text."""
    _ = words.gettext
    try:
        then = datetime.fromisoformat(at).astimezone(now.tzinfo)
    except (ValueError, OverflowError):  # the disk may have damaged it
        return ""
    days, clock = (now.date() - then.date()).days, f"{then:%H:%M}"
    if days == 0:
        return _("today, {clock}").format(clock=clock)
    if days == 1:
        return _("yesterday, {clock}").format(clock=clock)
    if 1 < days < _WEEK:
        week = (_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"))
        return _("{weekday}, {clock}").format(weekday=week[then.weekday()], clock=clock)
    months = (
        *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June")),
        *(_("July"), _("August"), _("September"), _("October"), _("November"), _("December")),
    )
    date = {"day": then.day, "month": months[then.month - 1], "year": then.year}
    return _("{day} {month} {year}, {clock}").format(**date, clock=clock)


def now_here() -> datetime:
    """Return the time by the clock of the box, with its zone."""
    return datetime.now().astimezone()


def steps_left(done: Collection[SetUpPart], words: Words) -> str:
    """Say which steps of a first start are left; empty if none is."""
    _ = words.gettext
    names = {"box": _("the choice of the box"), "wires": _("wires"), "camera": _("camera"), "servos": _("servos")}
    left = [names[part] for part in SET_UP_PARTS if part not in done]
    return _("Still to do: {steps}.").format(steps=words.all_of(left)) if left else ""
