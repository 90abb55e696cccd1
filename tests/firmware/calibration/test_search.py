"""The search for a tile's ends as a pure conversation with a toy tile: what it asks for, and what it concludes."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.calibration.ends import Ends, Nominal, find_edges, find_ends
from firmware.calibration.strokes import NotMeasured, Search, Stroke, StrokeResult, T
from hardware.tiles import Position

OPEN, SHUT, BETWEEN, UNKNOWN = Position.OPEN, Position.SHUT, Position.BETWEEN, Position.UNKNOWN
NOMINAL = Nominal(1000, 2000, 0.02, sees_open=True)


@dataclass
class ToyTile:
    """A tile that is where its pulse wants it, between its stops; let go near an end it falls there."""

    open_us: float
    us_per_deg: float
    shut_on: float = 69.0
    open_on: float = 14.0
    shut_play: float = 3.0
    sees: Callable[[Position], Position] = lambda shown: shown
    angle: float = 0.0
    asked: list[float] = field(default_factory=list)

    def stroke(self, stroke: Stroke) -> StrokeResult:
        self.asked.append(stroke.pulse_us)
        was_shut, was_open = self.shown() is SHUT, self.shown() is OPEN
        self.angle = max(-3.0, min(93.0, (stroke.pulse_us - self.open_us) / self.us_per_deg))
        driven = self.shown(was_shut, was_open)
        if self.angle <= 20:
            self.angle = 0.0
        elif self.angle >= 60:
            self.angle = 90.0
        return StrokeResult(self.sees(driven), self.sees(self.shown(driven is SHUT, driven is OPEN)))

    def shown(self, was_shut: bool = False, was_open: bool = False) -> Position:
        if self.angle >= self.shut_on - self.shut_play * was_shut:
            return SHUT
        return OPEN if self.angle <= self.open_on + 2 * was_open else BETWEEN


def follow(tile: ToyTile, search: Search[T]) -> T:
    try:
        stroke = next(search)
        while True:
            stroke = search.send(tile.stroke(stroke))
    except StopIteration as end:
        found: T = end.value
        return found


any_tile = st.builds(
    ToyTile,
    open_us=st.floats(850, 1150),
    us_per_deg=st.floats(9.8, 12.5),
    shut_on=st.floats(66, 72),
    open_on=st.floats(12, 16),
    angle=st.sampled_from((0.0, 45.0, 90.0)),
)
any_way = st.booleans()


def mirrored(tile: ToyTile) -> ToyTile:
    return replace(tile, open_us=3000 - tile.open_us, us_per_deg=-tile.us_per_deg)


@given(tile=any_tile, mirror=any_way)
@settings(deadline=None)
def test_both_edges_of_both_sensors_are_found_to_a_degree_whichever_way_the_servo_turns(
    tile: ToyTile, mirror: bool
) -> None:
    tile = mirrored(tile) if mirror else tile
    ends = follow(tile, find_ends(NOMINAL))
    assert ends.sign == (-1 if mirror else 1)
    edges = follow(tile, find_edges(ends, NOMINAL.us_per_deg))
    found = (edges.open_on, edges.open_off, edges.shut_off, edges.shut_on)
    angles = [(ends.sign * pulse - tile.open_us) / tile.us_per_deg for pulse in found]
    assert angles == pytest.approx([tile.open_on, tile.open_on + 2, tile.shut_on - 3, tile.shut_on], abs=1)


@given(tile=any_tile, mirror=any_way, sees=st.sampled_from((OPEN, SHUT, BETWEEN, UNKNOWN, None)))
@settings(deadline=None)
def test_whatever_the_sensors_say_no_pulse_leaves_the_range_of_servos_nor_presses_again_and_again(
    tile: ToyTile, mirror: bool, sees: Position | None
) -> None:
    tile = mirrored(tile) if mirror else tile
    if sees is None:
        follow(tile, find_ends(NOMINAL))
    else:
        tile.sees = lambda _shown: sees
        with pytest.raises(NotMeasured):
            follow(tile, find_ends(NOMINAL))
    assert all(500 <= pulse_us <= 2400 for pulse_us in tile.asked)
    assert len(tile.asked) < 35


@given(tile=any_tile)
@settings(deadline=None)
def test_a_sound_tile_is_never_driven_beyond_its_stops(tile: ToyTile) -> None:
    tile.angle = 0.0
    follow(tile, find_ends(NOMINAL))
    angles = [(pulse_us - tile.open_us) / tile.us_per_deg for pulse_us in tile.asked]
    assert min(angles) > -3
    assert max(angles) < 93


@pytest.mark.parametrize(
    ("sees", "said"),
    [
        (lambda _: OPEN, "keep saying open"),
        (lambda _: SHUT, "keep saying shut"),
        (lambda _: UNKNOWN, "at once"),
        (lambda _: BETWEEN, "neither"),
        (lambda shown: BETWEEN if shown is SHUT else shown, "shut sensor never answered"),
        (lambda shown: BETWEEN if shown is OPEN else shown, "open sensor never answered"),
    ],
    ids=["never leaves open", "never leaves shut", "both", "half way", "no magnet", "no switch"],
)
def test_what_keeps_a_tile_from_being_measured_is_said(sees: Callable[[Position], Position], said: str) -> None:
    with pytest.raises(NotMeasured, match=said):
        follow(ToyTile(1000, 11, sees=sees), find_ends(NOMINAL))


def test_without_an_open_sensor_the_shut_end_is_found_on_either_side() -> None:
    nominal = Nominal(1000, 2000, 0.02, sees_open=False)
    for tile in (ToyTile(1000, 11), mirrored(ToyTile(1000, 11))):
        tile.sees = lambda shown: shown if shown is SHUT else OPEN
        ends: Ends = follow(tile, find_ends(nominal))
        assert ends.sign * tile.us_per_deg > 0
        assert ends.last_open is None


def test_a_tile_that_fell_to_its_first_end_is_not_taken_for_having_come_back() -> None:
    # Held at 66 degrees it is between; let go it falls, and so loose a one still shows shut a step further up.
    ends = follow(ToyTile(774, 11, shut_play=13.0), find_ends(NOMINAL))
    assert ends.last_open is not None
    assert (ends.last_open - 774) / 11 < 14 < (ends.last_open - 774) / 11 + 8
