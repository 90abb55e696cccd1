"""Wear of the tiles: moves, retries and travel times of one box, and which tile to look at before it breaks.

The book is kept in the home folder; it is no part of a game and may be deleted.
"""

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from firmware.messages import SensorReport
from firmware.selftest.findings import SelftestReport
from hardware.calibration import write_durably
from hardware.tiles import Position, TileId

# Travel times kept of each way: the first so many, which all later ones are compared with, and the last. A median of
# twenty does not follow the wait of up to a frame (20 ms of some 200) before each move.
_KEPT = 20
_ENOUGH = 10  # of the last moves: fewer say nothing, one bad one would be a tenth of them or more
_SLOWER = 1.25  # the last travel times by the first ones: more than they vary while nothing rubs
_OFTEN = 0.1  # part of the last moves that needed another try: a sound tile arrives at the first
_UNSEEN_GAMES = 20  # a tile that is never chosen, or a sensor that always says the same, would never be noticed
_TESTS = 10  # self-tests kept: the page draws the last few of them

Seconds = Annotated[float, Field(ge=0, le=60)]


class _BookModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Way(_BookModel):
    """The travel times of one tile in one direction, in seconds: its first ones and its last ones."""

    first_s: tuple[Seconds, ...] = ()
    last_s: tuple[Seconds, ...] = ()

    def with_move(self, took_s: float) -> "Way":
        """The same with one more move."""
        first = self.first_s if len(self.first_s) >= _KEPT else (*self.first_s, took_s)
        return Way(first_s=first, last_s=(*self.last_s, took_s)[-_KEPT:])

    @property
    def slower(self) -> tuple[float, float] | None:
        """The usual time at first and now, where it has become longer by more than it varies; else None."""
        if len(self.first_s) < _KEPT or len(self.last_s) < _ENOUGH:
            return None
        before_s, now_s = statistics.median(self.first_s), statistics.median(self.last_s[-_ENOUGH:])
        return (before_s, now_s) if now_s > _SLOWER * before_s else None


class TileWear(_BookModel):
    """One tile: how often it moved, how often it needed another try, lately too, and in which game it moved last.

    `healed` is how often it left its place after it was let go, and was driven there again.
    """

    moves: int = Field(default=0, ge=0)
    retries: int = Field(default=0, ge=0)
    healed: int = Field(default=0, ge=0)
    last_tries: tuple[Annotated[int, Field(ge=1, le=10)], ...] = ()
    down: Way = Way()
    up: Way = Way()
    seen_in_game: int = Field(default=0, ge=0)


class SelftestNote(_BookModel):
    """One self-test: when, whether all was well, and how long each tile took down and up, in seconds."""

    date: AwareDatetime
    passed: bool
    times_s: Mapping[str, tuple[Seconds | None, Seconds | None]]


class WearBook(_BookModel):
    """All tiles of the box `box`; `games` have been begun on it."""

    box: str
    games: int = Field(default=0, ge=0)
    tiles: Mapping[str, TileWear] = {}
    tests: tuple[SelftestNote, ...] = ()

    def with_moves(self, reports: Iterable[SensorReport]) -> "WearBook":
        """The same after these moves; what was there already has not moved."""
        tiles = dict(self.tiles)
        for report in reports:
            if report.took_s is not None:
                tiles[str(report.tile)] = _with_move(tiles.get(str(report.tile), TileWear()), report, self.games)
        return self.model_copy(update={"tiles": tiles})

    def with_game(self) -> "WearBook":
        """The same when another game has begun."""
        return self.model_copy(update={"games": self.games + 1})

    def with_test(self, report: SelftestReport, date: datetime) -> "WearBook":
        """The same after a self-test."""
        times_s = {str(times.tile): (times.down_s, times.up_s) for times in report.tiles}
        note = SelftestNote(date=date, passed=report.passed, times_s=times_s)
        seen = {name: self.tiles.get(name, TileWear()) for name in times_s}
        tiles = {name: wear.model_copy(update={"seen_in_game": self.games}) for name, wear in seen.items()}
        return self.model_copy(update={"tests": (*self.tests, note)[-_TESTS:], "tiles": {**self.tiles, **tiles}})


def _with_move(wear: TileWear, report: SensorReport, game: int) -> TileWear:
    took_s = report.took_s or 0.0
    way = "down" if report.position is Position.SHUT else "up"
    changed = {
        "moves": wear.moves + 1,
        "retries": wear.retries + report.tries - 1,
        "healed": wear.healed + report.healed,
        "last_tries": (*wear.last_tries, report.tries)[-_KEPT:],
        "seen_in_game": game,
        way: getattr(wear, way).with_move(took_s),
    }
    return wear.model_copy(update=changed)


WearKind = Literal["slower", "retried", "unseen"]


@dataclass(frozen=True, slots=True)
class WearNote:
    """Why a person should look at a tile: the kind of wear, one sentence, and the figures in it."""

    kind: WearKind
    say: str
    figures: Mapping[str, str | int | float]


def wear_notes(book: WearBook, tiles: Iterable[TileId]) -> dict[TileId, WearNote]:
    """Tiles that a person should look at before they break, with a note for each."""
    found = {tile: _note(tile, book.tiles.get(str(tile), TileWear()), book.games) for tile in tiles}
    return {tile: note for tile, note in found.items() if note is not None}


def _note(tile: TileId, wear: TileWear, games: int) -> WearNote | None:
    for way, times in (("down", wear.down), ("up", wear.up)):
        if times.slower is not None:
            before_s, now_s = times.slower
            say = f"{tile} goes {way} in {now_s:.2f} s, where it took {before_s:.2f} s: look whether it rubs."
            return WearNote("slower", say, {"way": way, "now_s": now_s, "before_s": before_s})
    again, lately = sum(tries > 1 for tries in wear.last_tries), len(wear.last_tries)
    if lately >= _ENOUGH and again > _OFTEN * lately:
        say = f"{tile} needed another try in {again} of its last {lately} moves: look at its horn and its plug."
        return WearNote("retried", say, {"again": again, "moves": lately})
    unseen = games - wear.seen_in_game
    if unseen >= _UNSEEN_GAMES:
        return WearNote(
            "unseen", f"{tile} was not seen moving for {unseen} games: run the self-test.", {"games": unseen}
        )
    return None


class WearFile:
    """The book of one box in its home folder; one that is damaged or of another box is begun anew.

    Lifetime: nothing is held; `book` is what was last read or noted. Concurrency: one thread notes, any one writes; one
    process writes it.
    """

    def __init__(self, path: Path, box: str) -> None:
        self._path = path
        self._one_at_a_time = Lock()
        try:
            book = WearBook.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            book = WearBook(box=box)
        self.book = book if book.box == box else WearBook(box=box)

    def note_moves(self, reports: Iterable[SensorReport]) -> None:
        """Note moves; `write` writes them."""
        self.book = self.book.with_moves(reports)

    def note_game(self) -> None:
        """Note another game; `write` writes it."""
        self.book = self.book.with_game()

    def note_test(self, report: SelftestReport, date: datetime) -> None:
        """Note a self-test; `write` writes it."""
        self.book = self.book.with_test(report, date)

    def write(self) -> None:
        """Write what was noted, which may take as long as a slow card does. Raises `OSError` where the disk refuses."""
        with self._one_at_a_time:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_durably(self._path, self.book.model_dump_json().encode())
