"""The search for the ends of a slotted rod, stroke by stroke, on a tile that answers as the test says."""

import pytest

from firmware.calibration.slot import Slotted, find_slot_ends
from firmware.calibration.strokes import NotMeasured, Stroke, StrokeResult
from hardware.box import LEAST_US, MOST_US
from hardware.tiles import Position

TILE = Slotted(open_us=820.0, rest_us=1655.0, shut_us=2090.0, sees_open=True)


class Wood:
    """A tile that lies from `falls_us` on and stands below `stands_us`; each slow stroke may be kicked to its end."""

    def __init__(self, falls_us: float, stands_us: float, kicked: tuple[int, ...] = ()) -> None:
        self._falls_us = falls_us
        self._stands_us = stands_us
        self._kicked = kicked
        self._slow = 0
        self.at = Position.OPEN
        self.pulses_us: list[float] = []

    def follow(self, stroke: Stroke) -> StrokeResult:
        self.pulses_us.append(stroke.pulse_us)
        if stroke.pulse_us >= self._falls_us:
            self.at = Position.SHUT
        elif stroke.pulse_us <= self._stands_us:
            self.at = Position.OPEN
        if stroke.via_us is not None:
            self._slow += 1
            if self._slow in self._kicked:
                self.at = Position.SHUT if stroke.pulse_us > stroke.via_us else Position.OPEN
        return StrokeResult(self.at, self.at)

    def search(self) -> tuple[float, float, float]:
        """Make all strokes of the search; the pulses that it finds."""
        search = find_slot_ends(TILE)
        wanted = next(search)
        while True:
            try:
                wanted = search.send(self.follow(wanted))
            except StopIteration as end:
                return end.value.open_us, end.value.rest_us, end.value.shut_us


def test_a_tile_that_never_moves_is_looked_for_within_the_range_of_servos() -> None:
    wood = Wood(falls_us=9000.0, stands_us=0.0)
    with pytest.raises(NotMeasured, match="keep saying open"):
        wood.search()
    assert min(wood.pulses_us) >= LEAST_US
    assert max(wood.pulses_us) <= MOST_US


def test_the_tile_of_the_drawing_has_the_pulses_of_the_drawing() -> None:
    assert Wood(TILE.falls_us, TILE.stands_us).search() == pytest.approx((820.0, 1655.0, 2090.0), abs=8.0)


@pytest.mark.parametrize("first", range(1, 40))
def test_a_slow_stroke_or_two_that_are_kicked_move_no_end(first: int) -> None:
    """On a board that cuts pulses one release in fifteen kicks; two in a row cost 2 degrees at most."""
    found = Wood(TILE.falls_us, TILE.stands_us, kicked=(first, first + 1)).search()
    assert found == pytest.approx((820.0, 1655.0, 2090.0), abs=22.0)
