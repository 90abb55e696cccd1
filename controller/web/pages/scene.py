"""The parts of the table that a page draws, as plain values: tiles and marks, dice and their luck, moves, seats."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import factorial, prod
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from controller.game.table.snapshot import Snapshot, TileView
from controller.messages.words import Words
from controller.rules.tiles import is_mark, pips_named
from controller.web.pages.phrases import name_tile, say_tile
from hardware.tiles import Position

MarkKind = Literal["text", "pips", "colour", "picture"]
# Marks that are shown as a colour with its name; the style sheet has a rule for each.
_OF_THE_RAINBOW = ("red", "orange", "yellow", "green", "turquoise", "blue", "purple")
COLOURS = (*_OF_THE_RAINBOW, "pink", "brown", "black", "grey", "white", "gold", "silver")
# The suffixes of pictures, with their media types. No SVG: it may contain a script.
TYPES: Mapping[str, str] = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
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


# The names of the style sheet: standing, standing behind another tile, lying, stuck half way, not part of the game.
TileLook = Literal["open", "hidden", "shut", "stuck", "absent"]


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """One tile as it is drawn."""

    name: str
    row: int
    column: int
    mark: DrawnMark
    look: TileLook  # its position
    believed: bool  # a player has vouched for its position
    doubtful: bool  # its sensors disagree with the game, or with each other
    moving: bool
    under: bool  # another tile lies on it
    right: bool  # it is in the right half of the box, whose tiles show their left side
    can: bool  # part of a legal move
    called: str  # its name as people say it
    name_spoken: str  # its name and state for a screen reader


def draw_tiles(
    snapshot: Snapshot, movable: Collection[str], pictures: TilePictures, words: Words
) -> tuple[DrawnTile, ...]:
    """Return every tile. movable: the tiles to mark as part of a move; empty if there are none."""
    # Seen so by their sensors, or if these do not tell, expected so by the game.
    standing = {
        (tile.row, tile.column)
        for tile in snapshot.tiles
        if (
            tile.state in ("showing", "hidden")
            if tile.moving or tile.believed or tile.seen not in (Position.OPEN, Position.SHUT)
            else tile.seen is Position.OPEN
        )
    }
    lying = {(tile.row, tile.column) for tile in snapshot.tiles} - standing
    columns = max((tile.column for tile in snapshot.tiles), default=0)
    rows = max((tile.row for tile in snapshot.tiles), default=1)
    dominoes = bool(snapshot.options.get("domino_set"))
    showing = [tile for tile in snapshot.tiles if tile.state == "showing"]
    # The marks that are visible in the front row and also behind it.
    twins = {tile.mark for tile in showing if tile.row == 1} & {tile.mark for tile in showing if tile.row > 1}

    # The box counts 3, 2, 1 by its tiles, which are on their way to and fro.
    is_counting = snapshot.phase == "counting"

    def draw(tile: TileView) -> DrawnTile:
        is_at_fault = snapshot.fault is not None and snapshot.fault.part == tile.name
        look: TileLook = "open"
        if tile.state == "absent":
            look = "absent"
        elif tile.seen is Position.BETWEEN and not (tile.believed or is_counting) and (is_at_fault or not tile.moving):
            look = "stuck"
        elif (tile.row, tile.column) not in standing:
            look = "shut"
        elif any((row, tile.column) in standing for row in range(1, tile.row)):
            look = "hidden"
        is_watched = look != "absent" and not (tile.believed or tile.moving or is_counting) and tile.seen is not None
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
            name_spoken=_speak(tile, look, doubtful=doubtful, movable=movable, rows=rows, words=words),
        )

    return tuple(map(draw, snapshot.tiles))


def rows_of(tiles: Iterable[DrawnTile]) -> tuple[tuple[DrawnTile, ...], ...]:
    """Return tiles by row, the back row first, as they are drawn over one another."""
    rows: dict[int, list[DrawnTile]] = {}
    for tile in tiles:
        rows.setdefault(tile.row, []).append(tile)
    return tuple(tuple(rows[row]) for row in sorted(rows, reverse=True))


def _speak(tile: TileView, look: TileLook, *, doubtful: bool, movable: Collection[str], rows: int, words: Words) -> str:
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
    return _("{tile}, {state}").format(tile=name_tile(tile, rows, words), state=state)


@dataclass(frozen=True, slots=True)
class DrawnMove:
    """One legal move: the names of its tiles, the drawn tiles, and its text for a screen reader."""

    names: tuple[str, ...]
    tiles: tuple[DrawnTile, ...]
    name_spoken: str

    @property
    def is_behind(self) -> bool:
        """True if one of the tiles stands behind the front row."""
        return any(tile.row > 1 for tile in self.tiles)


def draw_moves(moves: Sequence[tuple[str, ...]], tiles: Mapping[str, DrawnTile], words: Words) -> tuple[DrawnMove, ...]:
    """Return every one of the moves, in their order."""
    drawn = []
    for names in moves:
        shut = tuple(tiles[name] for name in names)
        called = words.all_of(tile.called for tile in shut)
        drawn.append(DrawnMove(names, shut, words.gettext("Choose {tiles}").format(tiles=called)))
    return tuple(drawn)


_OPPOSITE = 7  # opposite faces of a die add up to this
_PIPS = 6  # the faces of dice with more sides are written, not dotted
_TURN_STEP = 37  # degrees; makes dice look thrown, and each always turned the same way
_MIDDLE, _APART = 50.0, 14.0  # percent of the field; for dice that nobody has seen
# For the top faces 1 to 6: the faces towards the player and to the left; opposite faces add up to 7.
_SIDES = {1: (2, 3), 2: (1, 4), 3: (2, 6), 4: (2, 1), 5: (1, 3), 6: (2, 4)}


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die as it is drawn.

    x, y: its middle in percent of the field, from the far left corner.
    face, front, side: the pips of the three visible faces; 0 each if the faces bear no pips.
    """

    x: float
    y: float
    turn: int  # in degrees
    colour: str
    mark: str  # the sign on top, if the faces bear no pips
    face: int
    front: int
    side: int

    @property
    def faces(self) -> tuple[tuple[str, int], ...]:
        """The pips of all six faces by the names of the style sheet, those that are seen from the player first."""
        near, far = ("le", "ri") if self.turn < 0 else ("ri", "le")
        seen = (("fr", self.front), (near, self.side), ("up", self.face))
        hidden = (("bk", self.front), (far, self.side), ("dn", self.face))
        return (*seen, *((name, _OPPOSITE - pips if pips else 0) for name, pips in hidden))


def draw_dice(snapshot: Snapshot) -> tuple[DrawnDie, ...]:
    """Return the dice of the present throw; empty if there is none."""
    marks, baize = snapshot.marks.faces, snapshot.baize
    has_pips = snapshot.sides <= _PIPS and not marks
    drawn = []
    for at, die in enumerate(snapshot.dice):
        if die.x_mm is None or die.y_mm is None or baize is None:
            x, y = _MIDDLE + _APART * (at - (len(snapshot.dice) - 1) / 2), _MIDDLE
        else:
            x, y = 100 * die.x_mm / baize.width_mm, 100 * die.y_mm / baize.depth_mm
        turn = (round(x + y) * _TURN_STEP) % 90 - 45 if die.x_mm is not None else 0
        mark = marks[die.face - 1] if marks else str(die.face)
        face, (front, side) = (die.face, _SIDES[die.face]) if has_pips else (0, (0, 0))
        drawn.append(DrawnDie(round(x, 1), round(y, 1), turn, die.colour, mark, face, front, side))
    return tuple(drawn)


def one_in(dice: Sequence[int], sides: int) -> int:
    """Return n where one in n throws of these dice shows these faces, in any order; rounded.

    Two sixes are 1 in 36; a six and a four, which two dice can show in two ways, 1 in 18.
    """
    ways = factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))
    return round(int(sides ** len(dice)) / ways)


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """One seat."""

    name: str
    detail: str  # the strength of the house, the place of the player, or whether they are away, out or have won
    score: int | None  # of this round; None before there is one
    is_open: bool  # the score is that of the open tiles, in a turn that is not over
    at_turn: bool
    won: bool
    total: int | None  # of the match; None for a single round
    coins: int | None  # balance of coins won and paid; None without stakes


def draw_seats(snapshot: Snapshot, words: Words, own: Collection[str] = ()) -> tuple[DrawnSeat, ...]:
    """Return every seat, in the order of the snapshot. own: the names of those that this device holds."""
    _, drawn = words.gettext, []
    # Whole phrases, unlike `strength_name`: in French the adjective agrees with the gender of the house.
    houses = {
        "careless": _("the house, careless"),
        "casual": _("the house, casual"),
        "steady": _("the house, steady"),
        "skilled": _("the house, skilled"),
        "perfect": _("the house, perfect"),
    }
    places = {
        "page": _("on a page of their own"),
        "terminal": _("at the terminal"),
        "remote": _("at the other box"),
    }
    for seat in snapshot.seats:
        score = snapshot.scores.get(seat.name)
        at_turn = seat.name == snapshot.turn and snapshot.phase != "ended"
        is_open = at_turn and score is None and not snapshot.rolling
        if seat.name in snapshot.winners:
            detail = _("has won")
        elif not seat.plays:
            detail = _("out of the match")
        elif seat.house is not None:
            detail = houses[seat.house]
        elif seat.held is None:
            detail = _("plays now") if at_turn else ""
        else:
            place = _("you") if seat.name in own else places.get(seat.held, _("through a program"))
            detail = place if seat.here else _("away")
        drawn.append(
            DrawnSeat(
                name=seat.name,
                detail=detail,
                score=snapshot.score_now if is_open else score,
                is_open=is_open,
                at_turn=at_turn,
                won=seat.name in snapshot.winners,
                total=snapshot.standing.get(seat.name),
                coins=snapshot.coins.get(seat.name),
            )
        )
    return tuple(drawn)


def describe_counting(snapshot: Snapshot, words: Words) -> str:
    """Explain how points are counted in this game, in a sentence: they can rise when a tile is revealed."""
    _ = words.gettext
    has_rows = any(tile.row > 1 for tile in snapshot.tiles)
    if "race" in snapshot.options:  # Lucky 7, which nobody plays for points
        return _("The first to shut the 7 wins.")
    return {
        "showing": _("Every number you see counts, in the back row too: the fewest points win.")
        if has_rows
        else _("Every number you see counts: the fewest points win."),
        "standing": _("Every number that stands counts, hidden too: the fewest points win."),
        "double_front": _("Every number that stands counts, in front twice: the fewest points win."),
        "count": _("Each tile you see counts one: the fewest points win."),
        "digits": _("What you see is read as one number, from the left: the lowest wins."),
    }.get(str(snapshot.options.get("score")), "")
