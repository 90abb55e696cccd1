"""The guard within the daemon: what is driven for too long is cut, whatever loop and bus are doing."""

import asyncio
import math
import threading
import time

import pytest

from firmware.errors import PulsesCut
from firmware.guard.in_process import InProcessGuard, ThreadAlarm
from firmware.guard.line import OutputEnableLine
from firmware.sim.pins import open_pin_factory
from firmware.sim.worker import WorldAlarm
from hardware.box import load_box
from hardware.sim.world import World
from hardware.wires import GpioPin
from tests.support.hand_clock import HandClock

BOX = load_box("two-level-9")
OE = BOX.panel.output_enable


class Post:
    """A guard over the line of a simulated box, on a clock that is moved by hand."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.world = World(BOX, self.clock, 1)
        line = OutputEnableLine(OE, open_pin_factory(self.world))
        self.guard = InProcessGuard(line, lambda ring: WorldAlarm(self.world, ring))

    @property
    def passes(self) -> bool:
        return not self.world.level(OE)


def test_a_drive_that_lasts_too_long_is_cut_at_its_time_and_told_once_it_is_asked_for() -> None:
    post = Post()
    post.guard.enable()
    post.guard.allow_until(0.7)
    seen = []
    for seconds in (0.69, 0.02):
        post.clock.pass_s(seconds)
        seen.append((post.passes, post.guard.enabled))
    assert seen == [(True, True), (False, False)]
    with pytest.raises(
        PulsesCut, match="H-222 /OE: expected every servo let go in time, seen one that was still driven"
    ):
        post.guard.check()


def test_whoever_asks_is_told_of_a_drive_that_lasts_too_long_even_before_the_alarm_has_rung() -> None:
    asked: list[Post] = []
    for _ in range(2):
        post = Post()
        post.guard.enable()
        post.guard.allow_until(0.7)
        post.clock.pass_s(0.71)
        asked.append(post)
    assert not asked[0].guard.enabled
    with pytest.raises(PulsesCut):
        asked[1].guard.check()


def test_nothing_is_enabled_beside_a_drive_that_lasts_too_long_until_it_has_ended() -> None:
    post = Post()
    post.guard.enable()
    post.guard.allow_until(0.7)
    post.guard.cut()
    post.clock.pass_s(1.0)
    with pytest.raises(PulsesCut):
        post.guard.enable()
    assert not post.passes
    post.guard.allow_until(math.inf)
    post.guard.enable()
    post.guard.check()
    assert post.passes


def test_a_drive_that_ends_in_time_is_not_cut_nor_one_that_begins_after_it() -> None:
    post = Post()
    post.guard.enable()
    post.guard.allow_until(0.7)
    post.clock.pass_s(0.6)
    post.guard.allow_until(1.3)
    post.clock.pass_s(0.6)
    assert post.passes
    post.guard.allow_until(math.inf)
    post.clock.pass_s(100.0)
    assert post.passes
    post.guard.check()


def test_what_was_cut_by_us_is_no_drive_that_lasted_too_long() -> None:
    post = Post()
    post.guard.enable()
    post.guard.allow_until(0.7)
    post.guard.cut()
    post.clock.pass_s(1.0)
    post.guard.check()


def test_closing_drives_the_line_high_before_it_lets_it_go_to_its_pull_up() -> None:
    """A pull-up alone takes its time, and may be weak or missing."""
    post = Post()
    levels: list[bool | None] = []
    set_line = post.world.set_line

    def watched(wire: GpioPin, high: bool | None) -> None:
        assert wire == OE
        levels.append(high)
        set_line(wire, high)

    post.guard.enable()
    post.world.set_line = watched  # type: ignore[method-assign]
    post.guard.close()
    assert levels[0] is True
    assert levels[-1] is None
    assert False not in levels
    assert not post.passes


def test_a_guard_that_is_closed_touches_the_line_no_more() -> None:
    post = Post()
    post.guard.enable()
    post.guard.allow_until(0.7)
    post.guard.close()
    post.clock.pass_s(1.0)
    post.world.catch_up()
    assert not post.passes


async def test_an_alarm_of_its_own_thread_rings_while_the_loop_stands_still() -> None:
    rang = threading.Event()
    alarm = ThreadAlarm(rang.set)
    alarm.set_to(alarm.now() + 60.0)
    assert not rang.is_set()
    alarm.set_to(alarm.now())
    assert rang.wait(10), "the loop stands still here"
    alarm.close()


def test_an_alarm_that_could_not_cut_is_told_and_rings_again(caplog: pytest.LogCaptureFixture) -> None:
    rings, rang = [OSError("GPIO not allocated")], threading.Event()

    def ring() -> None:
        if rings:
            raise rings.pop()
        rang.set()

    alarm = ThreadAlarm(ring)
    while rings:
        alarm.set_to(alarm.now())
    alarm.set_to(alarm.now())
    assert rang.wait(10)
    alarm.close()
    assert "pulses could not be cut" in caplog.text
    assert "GPIO not allocated" in caplog.text


def test_an_alarm_that_is_called_off_does_not_ring_and_one_set_again_does() -> None:
    rings: list[float] = []
    rang = threading.Event()

    def ring() -> None:
        rings.append(time.monotonic())
        rang.set()

    alarm = ThreadAlarm(ring)
    alarm.set_to(time.monotonic() + 3600)
    alarm.set_to(math.inf)
    due_s = time.monotonic() + 0.01
    alarm.set_to(due_s)
    assert rang.wait(10)
    assert len(rings) == 1
    assert rings[0] >= due_s
    alarm.close()
    rang.clear()
    alarm.set_to(time.monotonic())
    assert not rang.is_set()


def note_waits(alarm: ThreadAlarm) -> threading.Event:
    """Set as often as the alarm's thread begins to wait; whoever then sets the alarm comes when it does."""
    waits, wait = threading.Event(), alarm._changed.wait

    def noted(timeout: float | None = None) -> bool:
        waits.set()
        return wait(timeout)

    alarm._changed.wait = noted  # type: ignore[method-assign]
    return waits


@pytest.mark.parametrize("before_s", [3600.0, math.inf])
def test_an_alarm_that_waits_for_a_later_time_or_for_none_is_woken_for_an_earlier_one(before_s: float) -> None:
    rang = threading.Event()
    alarm = ThreadAlarm(rang.set)
    waits = note_waits(alarm)
    if math.isinf(before_s):
        alarm.set_to(alarm.now())
        assert rang.wait(10)
        rang.clear()
    else:
        alarm.set_to(alarm.now() + before_s)
    assert waits.wait(10)
    alarm.set_to(alarm.now())
    assert rang.wait(10)
    alarm.close()


def test_an_alarm_that_is_closed_ends_its_thread_and_does_not_ring() -> None:
    rang = threading.Event()
    alarm = ThreadAlarm(rang.set)
    waits = note_waits(alarm)
    alarm.set_to(alarm.now() + 3600)
    assert waits.wait(10)
    thread = alarm._thread
    assert thread is not None
    alarm.close()
    thread.join(10)
    assert not thread.is_alive()
    alarm.set_to(alarm.now())
    assert not rang.is_set()


async def test_the_world_rings_in_time_for_a_loop_that_was_held_up() -> None:
    clock = HandClock()
    world = World(BOX, clock, 1)
    rings: list[float] = []
    alarm = WorldAlarm(world, lambda: rings.append(world.catch_up()))
    alarm.set_to(0.3)
    await asyncio.sleep(0)
    clock.pass_s(5.0)
    assert alarm.now() == 5.0
    assert rings == [pytest.approx(0.3)], "at its time, though nobody asked before"
    clock.pass_s(5.0)
    alarm.now()
    assert len(rings) == 1
