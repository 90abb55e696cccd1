"""The searches of a tile on a rigid rod as conversations with a toy tile: what they ask for, and what they find."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.calibration.ends import Nominal, find_ends, find_shut_edge, stays_shut
from firmware.calibration.measure import measure
from firmware.calibration.strokes import NotMeasured, Stroke, StrokeResult
from hardware.tiles import Position
from tests.firmware.calibration.toy_tile import ToyTile, follow

OPEN, SHUT, BETWEEN, UNKNOWN = Position.OPEN, Position.SHUT, Position.BETWEEN, Position.UNKNOWN
NOMINAL = Nominal(1000, 2000, 0.02, sees_open=True)
PER_DEG = NOMINAL.us_per_deg

# (closes, hysteresis) of Hall sensors of the parts list: dull, typical and keen.
any_hall = st.sampled_from(((86.5, 9.5), (82.0, 11.0), (76.0, 13.0), (65.5, 19.5)))
any_tile = st.builds(
    lambda hall, **build: ToyTile(shut_on=hall[0], shut_play=hall[1], **build),
    hall=any_hall,
    open_us=st.floats(850, 1150),
    us_per_deg=st.floats(9.4, 11.9),
    open_on=st.floats(12, 16),
    open_play=st.floats(1, 3),
    play=st.floats(2, 5),
    overshoot=st.floats(3, 6),
    deg_s=st.floats(420, 630),
    horn=st.sampled_from((0.0, 45.0, 95.0)),
)
any_way = st.booleans()


@given(tile=any_tile, mirror=any_way)
@settings(deadline=None)
def test_the_shut_sensors_edge_is_found_to_a_degree_whichever_way_the_servo_turns(tile: ToyTile, mirror: bool) -> None:
    tile = tile.mirrored() if mirror else tile
    ends = follow(tile, find_ends(NOMINAL))
    assert ends.sign == (-1 if mirror else 1)
    edge = follow(tile, find_shut_edge(ends, PER_DEG, sees_open=True))
    assert tile.angle_of(ends.sign * edge) == pytest.approx(tile.shut_on - tile.play / 2, abs=1)


@given(tile=any_tile, mirror=any_way)
@settings(deadline=None)
def test_a_sound_tiles_ends_are_found_to_three_degrees_wherever_its_sensors_sit(tile: ToyTile, mirror: bool) -> None:
    tile = tile.mirrored() if mirror else tile
    found = follow(tile, measure(NOMINAL))
    assert found.verdict == "good", found.reason
    assert abs(tile.angle_of(found.open_us)) < 3
    assert abs(tile.angle_of(found.shut_us) - 95) < 3


@pytest.mark.parametrize("hall", [(86.5, 9.5), (79.0, 12.0), (65.5, 19.5)], ids=["dull", "typical", "keen"])
@pytest.mark.parametrize("play", [10.0, 15.0])
def test_a_loose_tile_is_poor_with_every_hall_sensor(play: float, hall: tuple[float, float]) -> None:
    found = follow(ToyTile(1000, 10.5, play=play, shut_on=hall[0], shut_play=hall[1]), measure(NOMINAL))
    assert found.verdict == "poor"
    assert "loose" in found.reason


def test_a_loose_tile_that_falls_too_late_for_a_keen_sensor_is_known_by_its_swing() -> None:
    found = follow(ToyTile(1000, 10.5, play=12.0, lag=7.0, shut_on=65.5, shut_play=19.5), measure(NOMINAL))
    assert found.verdict == "poor"
    assert "loose" in found.reason


def test_a_servo_at_a_third_of_its_speed_is_slow_even_if_it_arrives() -> None:
    found = follow(ToyTile(1000, 10.5, deg_s=545 * 0.3), measure(NOMINAL))
    assert found.verdict == "poor"
    assert "slow" in found.reason


def test_a_lifted_tile_that_swings_out_of_its_sensors_hysteresis_does_not_stay_shut() -> None:
    shut, lifted = 1000 + 83 * 10.5, 1000 + 70 * 10.5
    assert follow(ToyTile(1000, 10.5, shut_on=79, shut_play=12, play=2), stays_shut(1, shut, lifted, PER_DEG))
    assert not follow(ToyTile(1000, 10.5, shut_on=79, shut_play=12, play=12), stays_shut(1, shut, lifted, PER_DEG))


@given(tile=any_tile, mirror=any_way, sees=st.sampled_from((OPEN, SHUT, BETWEEN, UNKNOWN, None)))
@settings(deadline=None)
def test_whatever_the_sensors_say_no_pulse_leaves_the_range_of_servos_nor_presses_again_and_again(
    tile: ToyTile, mirror: bool, sees: Position | None
) -> None:
    tile = tile.mirrored() if mirror else tile
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
def test_a_sound_tile_is_not_pressed_before_both_its_sensors_have_answered(tile: ToyTile) -> None:
    follow(tile, find_ends(NOMINAL))
    angles = [tile.angle_of(pulse_us) for pulse_us in tile.asked]
    assert min(angles) > -tile.play / 2
    assert max(angles) < 95 + tile.play / 2


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
        follow(ToyTile(1000, 10.5, sees=sees), find_ends(NOMINAL))


@pytest.mark.parametrize("mirror", [False, True])
def test_without_an_open_sensor_both_ends_are_found_and_the_play_is_not(mirror: bool) -> None:
    nominal = replace(NOMINAL, sees_open=False)
    tile = ToyTile(1000, 10.5, has_switch=False)
    tile = tile.mirrored() if mirror else tile
    found = follow(tile, measure(nominal))
    assert (found.verdict, found.open_s) == ("fair", None)
    assert "no open sensor" in found.reason
    assert abs(tile.angle_of(found.open_us)) < 3
    assert abs(tile.angle_of(found.shut_us) - 95) < 3


class KickedTile(ToyTile):
    """A tile of which one stroke ends with a kick by some degrees, where it then stays."""

    kicks_at = 0
    kick_deg = 0.0

    def stroke(self, stroke: Stroke) -> StrokeResult:
        seen = super().stroke(stroke)
        if len(self.asked) != self.kicks_at:
            return seen
        self._turn_to(self.horn + self.kick_deg)
        return replace(seen, rest=self.sees(self.shown))


@pytest.mark.parametrize("kick_deg", [40.0, -12.0])
@pytest.mark.parametrize("shut_on", [61.5, 63.0, 65.5])
@pytest.mark.parametrize("kicks_at", range(1, 45))
def test_no_kick_moves_the_edge_of_the_shut_sensor(kicks_at: int, shut_on: float, kick_deg: float) -> None:
    # Kicked to its ledge, the keen sensor holds on for 20 degrees; kicked away, the servo overshoots on the way back.
    tile = KickedTile(1050, 11.5, shut_on=shut_on, shut_play=19.5, overshoot=5.5)
    tile.kicks_at, tile.kick_deg = kicks_at, kick_deg
    ends = follow(tile, find_ends(NOMINAL))
    edge = follow(tile, find_shut_edge(ends, PER_DEG, sees_open=True))
    assert tile.angle_of(edge) == pytest.approx(tile.shut_on - tile.play / 2, abs=1)
