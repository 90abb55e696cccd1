"""The table as a page shows it to one audience: the snapshot in their words, and with what is theirs to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from controller.game import Action, ActionKind, Snapshot, TileView
from controller.web.pages.audience import Audience
from controller.words import Words
from hardware.tiles import Position

# As the sheet knows them: it stands, may stand behind another, lies, is stuck half way, or is no part of the game.
TileLook = Literal["open", "hidden", "shut", "stuck", "absent"]


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """One tile as it is drawn. name_spoken: what a screen reader says, its state with it. can: part of a legal move."""

    name: str
    row: int
    column: int
    mark: str
    look: TileLook
    believed: bool
    can: bool
    name_spoken: str


@dataclass(frozen=True, slots=True)
class DrawnMove:
    """One legal move: the names of its tiles, and these as they are drawn."""

    names: tuple[str, ...]
    tiles: tuple[DrawnTile, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """What the parts of a page are drawn from.

    say: what is to be done now, or what the box waits for; notice: what came up meanwhile; news: what has happened.
    rows: of tiles, the hindmost first. moves: those that this audience may choose from. actions: theirs, by kind.
    """

    snapshot: Snapshot
    audience: Audience
    say: str
    notice: str
    news: str
    rows: tuple[tuple[DrawnTile, ...], ...]
    moves: tuple[DrawnMove, ...]
    actions: Mapping[ActionKind, Action]

    @property
    def columns(self) -> int:
        """The number of columns of the box."""
        return max((tile.column for row in self.rows for tile in row), default=0)


def table_for(snapshot: Snapshot, audience: Audience, words: Words) -> TableView:
    """The table as this audience is shown it."""
    say, *others = snapshot.messages
    found = {each.kind: audience.action(snapshot, each.kind) for each in snapshot.actions}
    actions = {kind: action for kind, action in found.items() if action is not None}
    movable = {name for move in snapshot.moves for name in move} if "choose" in actions else set()
    tiles = {tile.name: _draw_tile(tile, snapshot, tile.name in movable, words) for tile in snapshot.tiles}
    return TableView(
        snapshot=snapshot,
        audience=audience,
        say=words.say(say),
        notice=words.say_all(each for each in others if each.severity != "news"),
        news=words.say_all(each for each in others if each.severity == "news"),
        rows=_by_row(tiles.values()),
        moves=tuple(
            DrawnMove(move, tuple(tiles[name] for name in move)) for move in snapshot.moves if actions.get("choose")
        ),
        actions=actions,
    )


def _draw_tile(tile: TileView, snapshot: Snapshot, can: bool, words: Words) -> DrawnTile:
    look = _look_of(tile, snapshot)
    return DrawnTile(
        tile.name, tile.row, tile.column, tile.mark, look, tile.believed, can, _speak(tile, look, can=can, words=words)
    )


def _look_of(tile: TileView, snapshot: Snapshot) -> TileLook:
    is_at_fault = snapshot.fault is not None and snapshot.fault.part == tile.name
    if tile.seen is Position.BETWEEN and not tile.believed and (is_at_fault or not tile.moving):
        return "stuck"
    if tile.state == "showing":
        return "open"
    return tile.state


def _speak(tile: TileView, look: TileLook, *, can: bool, words: Words) -> str:
    _ = words.gettext
    state = {
        "open": _("open") if can else _("open, not part of a move now"),
        "hidden": _("hidden"),
        "shut": _("shut, taken on your word") if tile.believed else _("shut"),
        "stuck": _("stuck half way"),
        "absent": _("not in this game"),
    }[look]
    place = {1: _("{mark} in front"), 2: _("{mark} behind")}.get(tile.row, _("{mark} in row {row}"))
    return f"{place.format(mark=tile.mark, row=tile.row)}, {state}"


def _by_row(tiles: Iterable[DrawnTile]) -> tuple[tuple[DrawnTile, ...], ...]:
    rows: dict[int, list[DrawnTile]] = {}
    for tile in tiles:
        rows.setdefault(tile.row, []).append(tile)
    return tuple(tuple(rows[row]) for row in sorted(rows, reverse=True))
