"""A guesser gets few tries at the PIN, whatever happens between them."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.access.pin import AT_ONCE, EVERY_S, MOST_IN_A_ROW, Throttle, Tries
from controller.errors import TooManyTries
from tests.support.hand_clock import HandClock

MOST = 12  # in any ten minutes
TEN_MINUTES_S = 600.0
# What happens at a box: seconds that pass, or what somebody does.
EVENTS = st.one_of(
    st.sampled_from(["wrong"] * 6 + ["right", "restart", "unlock"]),
    st.floats(0, 3 * EVERY_S),
    st.sampled_from([EVERY_S, EVERY_S - 0.001, 1.0]),
)


class Box:
    """A box that is guessed at: its throttle, kept as in the file, and the true time, which no daemon counts."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.throttle = Throttle(Tries(), self.clock)
        self.true_s = 0.0
        self.looked_at_s: list[float] = []

    def restart(self) -> None:
        kept = self.throttle.tries.model_dump_json()
        self.clock = HandClock()
        self.throttle = Throttle(Tries.model_validate_json(kept), self.clock)

    def pass_s(self, seconds: float) -> None:
        self.clock.pass_s(seconds)
        self.true_s += seconds

    def guess(self) -> None:
        self.throttle.count_try()
        self.looked_at_s.append(self.true_s)

    def say_right(self) -> None:
        self.throttle.count_try()
        self.throttle.forgive_try()

    def happens(self, event: str | float) -> None:
        with suppress(TooManyTries):
            match event:
                case "wrong":
                    self.guess()
                case "right":
                    self.say_right()
                case "restart":
                    self.restart()
                case "unlock":
                    self.throttle.unlock()
                case float():
                    self.pass_s(event)

    def most_in_ten_minutes(self) -> int:
        times = self.looked_at_s
        return max((sum(began <= at <= began + TEN_MINUTES_S for at in times) for began in times), default=0)


@settings(max_examples=300)
@given(st.lists(EVENTS, max_size=80))
def test_whatever_happens_no_ten_minutes_hold_more_than_twelve_tries(events: list[str | float]) -> None:
    box = Box()
    for event in events:
        box.happens(event)

    assert box.most_in_ten_minutes() <= MOST - 2


@pytest.mark.parametrize(("helps", "gets"), [("right", AT_ONCE + 5), ("unlock", AT_ONCE + 5), ("nothing", 10)])
def test_a_guesser_at_full_speed_gets_ten_tries_in_ten_minutes(helps: str, gets: int) -> None:
    """He is not the only one: the owner says the right PIN, or forgives, all the time."""
    box = Box()
    for _ in range(601):
        for event in (helps, "wrong", helps, "wrong"):
            box.happens(event)
        box.pass_s(1.0)

    assert len(box.looked_at_s) == box.most_in_ten_minutes() == gets


def test_a_restart_begins_the_wait_anew() -> None:
    box = Box()
    for _ in range(AT_ONCE):
        box.guess()
    for _ in range(20):
        box.pass_s(EVERY_S - 1)
        box.restart()
        with pytest.raises(TooManyTries, match="wait 120 seconds"):
            box.guess()
    box.pass_s(EVERY_S)
    box.guess()


def test_who_knows_the_pin_never_waits() -> None:
    box = Box()
    for _ in range(100):
        box.say_right()

    assert (box.throttle.wait_s, box.throttle.tries) == (0, Tries())


def test_after_ten_wrong_ones_only_the_box_itself_opens_it_again() -> None:
    box = Box()
    for _ in range(MOST_IN_A_ROW):
        box.guess()
        box.pass_s(EVERY_S)
    box.pass_s(1e9)
    box.restart()
    assert box.throttle.wait_s is None
    with pytest.raises(TooManyTries, match="say `shutbox pin --unlock` at the box") as refused:
        box.say_right()
    assert refused.value.wait_s is None

    box.throttle.unlock()
    box.pass_s(EVERY_S)
    box.say_right()
    assert box.throttle.tries.wrong == 0


def test_waiting_tells_how_long() -> None:
    box = Box()
    for _ in range(AT_ONCE):
        box.guess()
    box.pass_s(30.5)

    assert box.throttle.wait_s == 90
