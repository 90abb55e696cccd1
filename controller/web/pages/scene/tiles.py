"""The tiles as a page draws them: where the sensors see them, or else where the game expects them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from controller.game.table.snapshot import Snapshot, TileView
from controller.web.pages.phrases import name_tile, say_tile
from controller.web.pages.scene.marks import DrawnMark, TilePictures
from controller.words.words import Words
from hardware.tiles import Position

# The names of the style sheet: standing, standing behind another tile, lying, stuck half way, not part of the game.
TileLook = Literal["open", "hidden", "shut", "stuck", "absent"]


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """One tile as it is drawn.

    look: its position.
    believed: a player has vouched for its position.
    doubtful: its sensors disagree with the game, or with each other.
    under: another tile lies on it.
    right: it is in the right half of the box, whose tiles show their left side.
    can: part of a legal move.
    called: its name as people say it.
    name_spoken: its name and state for a screen reader.
    """

    name: str
    row: int
    column: int
    mark: DrawnMark
    look: TileLook
    believed: bool
    doubtful: bool
    moving: bool
    under: bool
    right: bool
    can: bool
    called: str
    name_spoken: str


def draw_tiles(
    snapshot: Snapshot, movable: Collection[str], pictures: TilePictures, words: Words
) -> tuple[DrawnTile, ...]:
    """Return every tile. movable: the tiles to mark as part of a move; empty if there are none."""
    standing = {(tile.row, tile.column) for tile in snapshot.tiles if _stands(tile)}
    lying = {(tile.row, tile.column) for tile in snapshot.tiles} - standing
    columns = max((tile.column for tile in snapshot.tiles), default=0)
    rows = max((tile.row for tile in snapshot.tiles), default=1)
    dominoes = bool(snapshot.options.get("domino_set"))
    showing = [tile for tile in snapshot.tiles if tile.state == "showing"]
    # The marks that are visible in the front row and also behind it.
    twins = {tile.mark for tile in showing if tile.row == 1} & {tile.mark for tile in showing if tile.row > 1}

    def draw(tile: TileView) -> DrawnTile:
        look = _look_of(tile, snapshot, standing)
        is_watched = look != "absent" and not (tile.believed or tile.moving) and tile.seen is not None
        wanted = Position.OPEN if tile.state in ("showing", "hidden") else Position.SHUT
        doubtful = is_watched and tile.seen is not wanted
        return DrawnTile(
            name=tile.name,
            row=tile.row,
            column=tile.column,
            mark=pictures.draw(tile.mark, game_id=snapshot.game_id, dominoes=dominoes),
            look=look,
            believed=tile.believed,
            doubtful=doubtful,
            moving=tile.moving,
            under=look == "shut" and (tile.row + 1, tile.column) in lying,
            right=2 * tile.column > columns + 1,
            can=tile.name in movable,
            # A plain "7" could be either of them.
            called=name_tile(tile, rows, words) if tile.row == 1 and tile.mark in twins else say_tile(tile, words),
            name_spoken=_speak(tile, look, doubtful=doubtful, movable=movable, snapshot=snapshot, words=words),
        )

    return tuple(map(draw, snapshot.tiles))


def rows_of(tiles: Iterable[DrawnTile]) -> tuple[tuple[DrawnTile, ...], ...]:
    """Return tiles by row, the back row first, as they are drawn over one another."""
    rows: dict[int, list[DrawnTile]] = {}
    for tile in tiles:
        rows.setdefault(tile.row, []).append(tile)
    return tuple(tuple(rows[row]) for row in sorted(rows, reverse=True))


def _stands(tile: TileView) -> bool:
    """Return True for a standing tile: seen so by its sensors, or if they do not tell, expected so by the game."""
    if tile.moving or tile.believed or tile.seen not in (Position.OPEN, Position.SHUT):
        return tile.state in ("showing", "hidden")
    return tile.seen is Position.OPEN


def _look_of(tile: TileView, snapshot: Snapshot, standing: Collection[tuple[int, int]]) -> TileLook:
    if tile.state == "absent":
        return "absent"
    is_at_fault = snapshot.fault is not None and snapshot.fault.part == tile.name
    if tile.seen is Position.BETWEEN and not tile.believed and (is_at_fault or not tile.moving):
        return "stuck"
    if (tile.row, tile.column) not in standing:
        return "shut"
    behind = any((row, tile.column) in standing for row in range(1, tile.row))
    return "hidden" if behind else "open"


def _speak(
    tile: TileView, look: TileLook, *, doubtful: bool, movable: Collection[str], snapshot: Snapshot, words: Words
) -> str:
    """Return the tile's place and state in a few words, such as `6 in front, open`."""
    _ = words.gettext
    steps_back = bool(movable) and tile.name not in movable
    state = {
        "open": _("open, not part of a move now") if steps_back else _("open"),
        "hidden": _("hidden"),
        "shut": _("shut, taken on your word") if tile.believed else _("shut"),
        "stuck": _("stuck half way"),
        "absent": _("not in this game"),
    }[look]
    if tile.believed and look != "shut":
        state = _("{state}, taken on your word").format(state=state)
    if doubtful and look != "stuck":
        state = _("{state}, elsewhere than the game has it").format(state=state)
    place = name_tile(tile, max(each.row for each in snapshot.tiles), words)
    return _("{tile}, {state}").format(tile=place, state=state)
