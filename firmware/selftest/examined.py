"""A self-test with all that a page of it shows: the box by its health, what wears, and the tests before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from firmware.selftest.findings import SelftestReport
from firmware.selftest.wear import SelftestNote, WearBook, wear_notes
from hardware.box import Box
from hardware.tiles import TileId

Health = Literal["well", "worn", "broken", "untested"]

_MOST_TESTS = 3  # earlier self-tests shown beside this one: more could not be told apart


@dataclass(frozen=True)
class Examined:
    """One self-test of one box. `book` holds the self-tests before this one and what the tiles have done."""

    box: Box
    report: SelftestReport
    book: WearBook
    date: datetime

    @cached_property
    def worn(self) -> Mapping[TileId, str]:
        """Tiles that a person should look at before they break, with a sentence for each."""
        notes = wear_notes(self.book.with_test(self.report, self.date), self.box.tile_ids)
        return {tile: note.say for tile, note in notes.items()}

    @cached_property
    def health(self) -> Mapping[TileId, Health]:
        """How every tile of the box does."""
        return {tile: self._health_of(tile) for tile in self.box.tile_ids}

    @property
    def earlier(self) -> Sequence[SelftestNote]:
        """The self-tests before this one, the last one at the end; some, if there were many."""
        return self.book.tests[-_MOST_TESTS:]

    def _health_of(self, tile: TileId) -> Health:
        name = str(tile)
        if any(finding.part == name for finding in self.report.findings):
            return "broken"
        if name in self.report.untested:
            return "untested"
        return "worn" if tile in self.worn else "well"
