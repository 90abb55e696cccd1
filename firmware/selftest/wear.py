"""Wear of the tiles: moves, retries, travel times, self-tests of one box, and tiles to look at before they break.

The book is kept in the home folder; it is not part of a game and may be deleted.
"""

import os
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from firmware.messages import SensorReport
from firmware.selftest.findings import SelftestReport
from hardware.box import Box
from hardware.calibration import write_durably
from hardware.tiles import Position, TileId
from hardware.toml_file import name_aside, read_plain

# Number of travel times kept for each direction: the first ones, which later ones are compared with, and the last ones.
# A median of twenty does not depend on the wait of up to a frame (20 ms of about 200) before each move.
_KEPT = 20
_ENOUGH = 10  # minimum of last moves: with fewer, one bad move would be a tenth of them or more
_SLOWER = 1.25  # ratio of the last to the first travel times: more than they vary while nothing rubs
_OFTEN = 0.1  # fraction of the last moves that needed another try: a sound tile arrives at the first
_UNSEEN_GAMES = 20  # after this many games an unmoved tile, or a stuck sensor, should be noticed
_TESTS = 10  # self-tests kept; the page draws the last few of them

Seconds = Annotated[float, Field(ge=0, le=60)]


class _BookModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Way(_BookModel):
    """The first and the last travel times of one tile in one direction, in seconds."""

    first_s: tuple[Seconds, ...] = ()
    last_s: tuple[Seconds, ...] = ()

    def with_move(self, took_s: float) -> "Way":
        first = self.first_s if len(self.first_s) >= _KEPT else (*self.first_s, took_s)
        return Way(first_s=first, last_s=(*self.last_s, took_s)[-_KEPT:])

    @property
    def slower(self) -> tuple[float, float] | None:
        """The typical time at first and now, if it has grown by more than it varies; else None."""
        if len(self.first_s) < _KEPT or len(self.last_s) < _ENOUGH:
            return None
        before_s, now_s = statistics.median(self.first_s), statistics.median(self.last_s[-_ENOUGH:])
        return (before_s, now_s) if now_s > _SLOWER * before_s else None


class TileWear(_BookModel):
    """The moves of one tile.

    retries: the number of further tries.
    healed: how often it left its place after its release and was driven back.
    last_tries: the tries of each of its last moves.
    seen_in_game: the game in which it moved last.
    """

    moves: int = Field(default=0, ge=0)
    retries: int = Field(default=0, ge=0)
    healed: int = Field(default=0, ge=0)
    last_tries: tuple[Annotated[int, Field(ge=1, le=10)], ...] = ()
    down: Way = Way()
    up: Way = Way()
    seen_in_game: int = Field(default=0, ge=0)


class SelftestNote(_BookModel):
    """One self-test: its date, whether it passed, and the seconds of each tile down and up."""

    date: AwareDatetime
    passed: bool
    times_s: Mapping[str, tuple[Seconds | None, Seconds | None]]


class WearBook(_BookModel):
    """The wear of the box `box`, on which `games` games were begun."""

    box: str
    games: int = Field(default=0, ge=0)
    tiles: Mapping[str, TileWear] = {}
    tests: tuple[SelftestNote, ...] = ()

    def with_moves(self, reports: Iterable[SensorReport]) -> "WearBook":
        """Return the book after these moves; a tile that was already there has not moved."""
        tiles = dict(self.tiles)
        for report in reports:
            if report.took_s is not None:
                wear = tiles.get(str(report.tile), TileWear())
                way = "down" if report.position is Position.SHUT else "up"
                changed = {
                    "moves": wear.moves + 1,
                    "retries": wear.retries + report.tries - 1,
                    "healed": wear.healed + report.healed,
                    "last_tries": (*wear.last_tries, report.tries)[-_KEPT:],
                    "seen_in_game": self.games,
                    way: getattr(wear, way).with_move(report.took_s),
                }
                tiles[str(report.tile)] = wear.model_copy(update=changed)
        return self.model_copy(update={"tiles": tiles})

    def with_game(self) -> "WearBook":
        return self.model_copy(update={"games": self.games + 1})

    def with_test(self, report: SelftestReport, date: datetime) -> "WearBook":
        """Return the book with one more self-test."""
        times_s = {str(times.tile): (times.down_s, times.up_s) for times in report.tiles}
        note = SelftestNote(date=date, passed=report.passed, times_s=times_s)
        seen = {name: self.tiles.get(name, TileWear()) for name in times_s}
        tiles = {name: wear.model_copy(update={"seen_in_game": self.games}) for name, wear in seen.items()}
        return self.model_copy(update={"tests": (*self.tests, note)[-_TESTS:], "tiles": {**self.tiles, **tiles}})


WearKind = Literal["slower", "retried", "unseen"]


@dataclass(frozen=True, slots=True)
class WearNote:
    """The reason why a person should look at a tile: the kind of wear, one sentence, and its figures."""

    kind: WearKind
    say: str
    figures: Mapping[str, str | int | float]


def wear_notes(book: WearBook, tiles: Iterable[TileId]) -> dict[TileId, WearNote]:
    """Return the tiles that a person should look at before they break, with a note for each."""
    found: dict[TileId, WearNote] = {}
    for tile in tiles:
        wear = book.tiles.get(str(tile), TileWear())
        again, lately = sum(tries > 1 for tries in wear.last_tries), len(wear.last_tries)
        unseen = book.games - wear.seen_in_game
        ways = (("down", wear.down.slower), ("up", wear.up.slower))
        slower = next(((way, times) for way, times in ways if times is not None), None)
        if slower is not None:
            way, (before_s, now_s) = slower
            say = f"{tile} now takes {now_s:.2f} s to go {way}, {before_s:.2f} s before: check whether it rubs."
            found[tile] = WearNote("slower", say, {"way": way, "now_s": now_s, "before_s": before_s})
        elif lately >= _ENOUGH and again > _OFTEN * lately:
            say = f"{tile} needed another try in {again} of its last {lately} moves: check its horn and its plug."
            found[tile] = WearNote("retried", say, {"again": again, "moves": lately})
        elif unseen >= _UNSEEN_GAMES:
            say = f"{tile} was not seen moving for {unseen} games: run the self-test."
            found[tile] = WearNote("unseen", say, {"games": unseen})
    return found


class WearFile:
    """The book of one box in its home folder; one of another box is replaced by an empty book.

    problem: why the file cannot be used, beginning with its name; such a file is put aside before the first write.

    Lifetime: nothing is held open; `book` is the last version read or noted. Concurrency: one thread notes, any thread
    writes; only one process writes it.
    """

    def __init__(self, path: Path, box: str) -> None:
        self._path = path
        self._one_at_a_time = Lock()
        self.problem = ""
        try:
            book = WearBook.model_validate_json(read_plain(path))
        except FileNotFoundError:
            book = WearBook(box=box)
        except (OSError, ValidationError) as error:
            self.problem = f"{path}: {error.strerror if isinstance(error, OSError) else 'damaged'}"
            book = WearBook(box=box)
        self.book = book if book.box == box else WearBook(box=box)

    def note_moves(self, reports: Iterable[SensorReport]) -> None:
        """Note moves; `write` saves them."""
        self.book = self.book.with_moves(reports)

    def note_game(self) -> None:
        self.book = self.book.with_game()

    def note_test(self, report: SelftestReport, date: datetime) -> None:
        self.book = self.book.with_test(report, date)

    def write(self) -> None:
        """Save the notes; slow on a slow card. Raises `OSError`."""
        with self._one_at_a_time:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self.problem:
                os.replace(self._path, name_aside(self._path, "damaged", date.today()))
                self.problem = ""
            write_durably(self._path, self.book.model_dump_json().encode())


Health = Literal["well", "worn", "broken", "untested"]

_MOST_TESTS = 3  # earlier self-tests shown beside this one; more would not be distinguishable


@dataclass(frozen=True)
class SelftestResult:
    """One self-test of one box. `book` has the earlier self-tests and the moves of the tiles."""

    box: Box
    report: SelftestReport
    book: WearBook
    date: datetime

    @cached_property
    def worn(self) -> Mapping[TileId, str]:
        """The tiles that a person should look at before they break, with a sentence for each."""
        notes = wear_notes(self.book.with_test(self.report, self.date), self.box.tile_ids)
        return {tile: note.say for tile, note in notes.items()}

    @cached_property
    def health(self) -> Mapping[TileId, Health]:
        broken = {finding.part for finding in self.report.findings}
        found: dict[TileId, Health] = {}
        for tile in self.box.tile_ids:
            if str(tile) in broken:
                found[tile] = "broken"
            elif str(tile) in self.report.untested:
                found[tile] = "untested"
            else:
                found[tile] = "worn" if tile in self.worn else "well"
        return found

    @property
    def earlier(self) -> Sequence[SelftestNote]:
        """The last few self-tests before this one, oldest first."""
        return self.book.tests[-_MOST_TESTS:]
