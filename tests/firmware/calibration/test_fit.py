"""End points from edges and times: exact where these are, sure where sensors or starts are not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.calibration.ends import Edges
from firmware.calibration.fit import Travels, fit

FRAME_S = 0.02
WAITS_S = tuple(FRAME_S * k / 9 for k in range(10))


def seen_of(
    open_us: float, us_per_deg: float, deg_s: float, *, shut_on: float, open_on: float, waits_s: tuple[float, ...]
) -> tuple[Edges, Travels, Travels]:
    """What a perfect tile shows whose sensors answer at these angles, with 3 and 2 degrees of play."""
    angles = (open_on, open_on + 2, shut_on - 3, shut_on)
    edges = Edges(*(open_us + us_per_deg * angle for angle in angles))
    down = [(wait_s + angles[1] / deg_s, wait_s + angles[3] / deg_s) for wait_s in waits_s]
    up = [(wait_s + 1.5 * (90 - angles[2]) / deg_s, wait_s + 1.5 * (90 - angles[0]) / deg_s) for wait_s in waits_s]
    return edges, travels(down, down=True), travels(up, down=False)


def travels(times: list[tuple[float, float]], *, down: bool) -> Travels:
    return Travels(len(times), tuple(left for left, _ in times), tuple(arrived for _, arrived in times), down)


@given(
    open_us=st.floats(-2300, 1200),
    us_per_deg=st.floats(9.5, 13.0),
    deg_s=st.floats(400, 600),
    shut_on=st.floats(66, 72),
    open_on=st.floats(12, 16),
)
def test_starts_spread_over_the_whole_frame_show_the_ends_wherever_the_sensors_sit(
    open_us: float, us_per_deg: float, deg_s: float, shut_on: float, open_on: float
) -> None:
    edges, down, up = seen_of(open_us, us_per_deg, deg_s, shut_on=shut_on, open_on=open_on, waits_s=WAITS_S)
    found = fit(edges, down, up, FRAME_S)
    assert abs(found.open - open_us) / us_per_deg < 0.7
    assert abs(found.shut - open_us - 90 * us_per_deg) / us_per_deg < 0.7
    assert found.play_deg == 0


def test_starts_that_tell_nothing_leave_the_sensors_to_decide() -> None:
    edges, down, up = seen_of(1000, 11, 500, shut_on=69, open_on=14, waits_s=(0.0,) * 10)
    found = fit(edges, down, up, FRAME_S)
    # The starts alone would be 3.3 and 5 degrees off.
    assert abs(found.open - 1000) / 11 < 2.5
    assert abs(found.shut - 1990) / 11 < 2.5
    assert found.doubt_deg > 1


def test_what_is_more_than_the_sensors_own_play_is_the_linkages() -> None:
    edges, down, up = seen_of(1000, 11, 500, shut_on=69, open_on=14, waits_s=WAITS_S)
    loose = Edges(edges.open_on - 33, edges.open_off + 33, edges.shut_off - 33, edges.shut_on + 33)
    found = fit(loose, down, up, FRAME_S)
    assert found.play_deg == pytest.approx(5, abs=0.7)


@given(late_s=st.lists(st.floats(0, 0.02), min_size=5, max_size=5), first=st.integers(0, 5), down=st.booleans())
def test_a_switch_that_bounces_every_other_time_makes_no_end_wander(
    late_s: list[float], first: int, down: bool
) -> None:
    edges, going_down, going_up = seen_of(1000, 11, 500, shut_on=69, open_on=14, waits_s=WAITS_S)
    sound = fit(edges, going_down, going_up, FRAME_S)
    late = [0.0] * first + late_s + [0.0] * (5 - first)
    # The switch is what a tile leaves on the way down, and what it comes to on the way up.
    if down:
        left_s = tuple(at + more for at, more in zip(going_down.left_s, late, strict=True))
        going_down = replace(going_down, left_s=left_s)
    else:
        arrived_s = tuple(at + more for at, more in zip(going_up.arrived_s, late, strict=True))
        going_up = replace(going_up, arrived_s=arrived_s)
    found = fit(edges, going_down, going_up, FRAME_S)
    assert abs(found.open - sound.open) / 11 < 1.3
    assert abs(found.shut - sound.shut) / 11 < 0.3
