"""A self-test with everything that its page shows: the health of the box, wear, and earlier tests."""

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
