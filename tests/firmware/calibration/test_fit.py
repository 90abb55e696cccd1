"""End points from an edge and times: exact where these are, sure where starts are not, and whoever was kicked."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.calibration.fit import Fit, Move, Travels, fit

FRAME_S = 0.02
WAITS_S = tuple(FRAME_S * k / 11 for k in range(12))
PLAY_DEG = 3.0
# Where the known places and the edges are, in degrees of horn and rod: half the play before or after the tile's.
OPEN_AT, SHUT_AT, SWITCH_ON, SWITCH_OFF, HALL_OFF, HALL_ON = 8.0, 82.0, 12.5, 17.5, 65.5, 77.5


def moves(begin: float, first: float, second: float, deg_s: float) -> list[Move]:
    return [Move(wait_s + abs(first - begin) / deg_s, wait_s + abs(second - begin) / deg_s) for wait_s in WAITS_S]


def seen_of(deg_s: float, switch_off: float = SWITCH_OFF) -> Travels:
    """What a perfect tile shows."""
    from_stop, from_open = (moves(begin, switch_off, HALL_ON, deg_s) for begin in (-PLAY_DEG / 2, OPEN_AT))
    from_ledge, from_shut = (moves(begin, HALL_OFF, SWITCH_ON, deg_s) for begin in (95 + PLAY_DEG / 2, SHUT_AT))
    return Travels(from_stop, from_open, from_ledge, from_shut)


def fitted(travels: Travels, open_us: float = 1000, us_per_deg: float = 11, *, sees_open: bool = True) -> Fit:
    opened, shut, edge = (open_us + us_per_deg * angle for angle in (OPEN_AT, SHUT_AT, HALL_ON))
    return fit(opened, shut, edge, travels, FRAME_S, sees_open=sees_open)


@given(open_us=st.floats(-2300, 1200), us_per_deg=st.floats(9.5, 13.0), deg_s=st.floats(400, 650), sees=st.booleans())
def test_waits_spread_over_the_whole_frame_show_the_ends(
    open_us: float, us_per_deg: float, deg_s: float, sees: bool
) -> None:
    found = fitted(seen_of(deg_s), open_us, us_per_deg, sees_open=sees)
    assert abs(found.open - open_us) / us_per_deg < 0.7
    assert abs(found.shut - open_us - 95 * us_per_deg) / us_per_deg < 0.7
    assert found.way_s == pytest.approx(95 / deg_s, rel=0.02)
    if sees:
        assert found.play_deg == pytest.approx(PLAY_DEG, abs=0.7)
    else:
        assert found.play_deg is None


def test_a_kicked_start_counts_for_nothing() -> None:
    sound = seen_of(545)
    early = [Move(move.left_s - 0.015, move.arrived_s - 0.015) for move in sound.from_ledge[:2]]
    kicked = replace(sound, from_ledge=[*sound.from_ledge, *early])
    assert fitted(kicked).shut == pytest.approx(fitted(sound).shut, abs=11)


def test_a_switch_that_bounces_now_and_then_makes_no_end_wander() -> None:
    sound = seen_of(545)
    bounced = replace(sound, from_open=[replace(move, left_s=move.left_s + 0.01) for move in sound.from_open[:4]])
    bounced.from_open.extend(sound.from_open[4:])
    assert fitted(bounced).open == pytest.approx(fitted(sound).open, abs=5)


def test_a_switch_that_opens_elsewhere_is_doubted_and_believed_less_than_the_times() -> None:
    shifted = fitted(seen_of(545, switch_off=SWITCH_OFF + 9))
    assert shifted.doubt_deg is not None
    assert shifted.doubt_deg > 3
    assert abs(shifted.open - 1000) / 11 < 2.5
