"""The guard in a process of its own: pulses pass while the daemon lives, and not half a second longer."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from firmware.errors import GuardForbids, GuardGone, PulsesCut
from firmware.guard.client import GuardClient, join_guard
from firmware.guard.protocol import (
    ALIVE,
    ALIVE_EVERY_S,
    CUT,
    DRIVES,
    ENABLE,
    IS_BUSY,
    IS_CUT,
    LIMIT_S,
    OVERRAN,
    PASSES,
    WAS_SILENT,
    Message,
    pack,
    unpack,
)
from firmware.guard.server import GuardServer, Watchdog, open_listener
from hardware.box import LONGEST_DRIVE_S
from tests.support.hand_clock import HandClock
from tests.support.users import GROUP, MEMBER, SERVICE, STRANGER, acting_as, folder_of_group, needs_root


class Line:
    """A line that remembers when pulses were cut."""

    def __init__(self) -> None:
        self.enabled = False
        self.cuts_s: list[float] = []
        self.was_cut = threading.Event()

    def enable(self) -> None:
        self.enabled = True

    def cut(self) -> None:
        if self.enabled:
            self.cuts_s.append(time.monotonic())
            self.was_cut.set()
        self.enabled = False


class Stop(Exception):
    """Ends a server."""


class StoppableServer(GuardServer):
    """Ends as soon as something happens after it was told to."""

    is_told = False

    def _wait(self) -> None:
        super()._wait()
        if self.is_told:
            raise Stop


class Post:
    """A guard at work in a thread."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.line = Line()
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        assert self._up.wait(5)

    def _serve(self) -> None:
        with open_listener(self.place) as listener:
            self._server = StoppableServer(listener, self.line, self._up.set)
            with pytest.raises(Stop):
                self._server.serve()

    def stop(self) -> None:
        """End it as a process ends: its connections close."""
        self._server.is_told = True
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as knock:
            knock.connect_ex(str(self.place))
            self._thread.join(5)
        assert not self._thread.is_alive()


@pytest.fixture
def place() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        yield Path(folder) / "guard.sock"


@pytest.fixture
def post(place: Path) -> Iterator[Post]:
    guard = Post(place)
    yield guard
    guard.stop()


def joined(place: Path) -> GuardClient:
    guard = join_guard([place.with_name("none.sock"), place])
    assert guard is not None
    return guard


def with_guard(place: Path, story: Callable[[GuardClient], Coroutine[Any, Any, None]]) -> None:
    """On a loop whose clock is the wall's: the guard's is too."""

    async def told() -> None:
        guard = joined(place)
        try:
            await story(guard)
        finally:
            guard.close()

    asyncio.run(told())


def with_stand_in(
    place: Path,
    hear: Callable[[Message, Callable[[bytes], int]], None],
    story: Callable[[], Coroutine[Any, Any, None]],
) -> None:
    """A guard's place at which `hear` gets what the daemon says, and may reply."""

    def listen(listener: socket.socket) -> None:
        daemon, _ = listener.accept()
        with daemon:
            while said := daemon.recv(64):
                hear(unpack(said), daemon.send)

    with open_listener(place) as listener:
        thread = threading.Thread(target=listen, args=(listener,))
        thread.start()
        asyncio.run(story())
        thread.join(5)


# What the guard decides.


@pytest.fixture
def clock() -> HandClock:
    clock = HandClock()
    clock.pass_s(1000.0)
    return clock


def test_pulses_pass_until_the_daemon_has_been_silent_for_too_long(clock: HandClock) -> None:
    line = Line()
    watchdog = Watchdog(line, clock)
    assert watchdog.left_s == float("inf")
    assert watchdog.hear(pack(ENABLE, clock())) == PASSES
    for _ in range(20):
        clock.pass_s(0.1)
        assert watchdog.hear(pack(ALIVE, clock())) is None
        assert watchdog.left_s == pytest.approx(LIMIT_S)
        assert not watchdog.cut_if_due()
    clock.pass_s(LIMIT_S - 0.01)
    assert not watchdog.cut_if_due()
    clock.pass_s(0.02)
    assert watchdog.cut_if_due()
    assert not line.enabled
    assert not watchdog.cut_if_due(), "told once"


def test_what_lay_unread_is_no_sign_of_life_now(clock: HandClock) -> None:
    line = Line()
    watchdog = Watchdog(line, clock)
    watchdog.hear(pack(ENABLE, clock()))
    sent_s = clock() + 0.3
    clock.pass_s(1.0)
    watchdog.hear(pack(ALIVE, sent_s))
    assert watchdog.cut_if_due()
    assert watchdog.hear(pack(ENABLE, sent_s)) == IS_CUT
    assert not line.enabled


def test_a_clock_ahead_is_no_leave_to_be_silent(clock: HandClock) -> None:
    line = Line()
    watchdog = Watchdog(line, clock)
    watchdog.hear(pack(ENABLE, clock() + 1e6))
    clock.pass_s(LIMIT_S + 0.01)
    assert watchdog.cut_if_due()


def test_asked_to_cut_it_cuts_and_after_a_death_too(clock: HandClock) -> None:
    line = Line()
    watchdog = Watchdog(line, clock)
    watchdog.hear(pack(ENABLE, clock()))
    assert watchdog.hear(pack(CUT, clock())) == IS_CUT
    assert not watchdog.disconnect()
    watchdog.hear(pack(ENABLE, clock()))
    assert watchdog.disconnect()
    assert not line.enabled


@pytest.mark.parametrize(
    "rubbish",
    [
        b"",
        b"+",
        b"x" * 9,
        pack(b"?", 1.0),
        pack(ENABLE, float("nan")),
        pack(ENABLE, 1.0, float("nan")),
        pack(ALIVE, float("inf")),
        b"." * 64,
    ],
)
def test_rubbish_is_no_message(clock: HandClock, rubbish: bytes) -> None:
    with pytest.raises(ValueError, match="a message"):
        Watchdog(Line(), clock).hear(rubbish)


def test_a_daemon_may_miss_four_signs_of_life_and_a_servo_bears_its_silence() -> None:
    assert 5 * ALIVE_EVERY_S <= LIMIT_S < LONGEST_DRIVE_S


# Over its socket.


def test_a_daemon_enables_and_cuts(post: Post) -> None:
    async def story(guard: GuardClient) -> None:
        seen = [(guard.enabled, post.line.enabled)]
        for act in (guard.enable, guard.cut, guard.enable):
            act()
            guard.check()
            seen.append((guard.enabled, post.line.enabled))
        assert seen == [(False, False), (True, True), (False, False), (True, True)]

    with_guard(post.place, story)
    assert not post.line.enabled, "closing cuts"


def test_a_loop_that_lives_says_so_while_pulses_pass(place: Path) -> None:
    async def story() -> None:
        guard = joined(place)
        guard.enable()
        await asyncio.wait_for(asyncio.to_thread(enough.wait), 10)
        guard.close()

    enough = threading.Event()
    heard_s: list[float] = []

    def hear(said: Message, reply: Callable[[bytes], int]) -> None:
        if said.kind != ALIVE:
            reply(said.kind)
            return
        heard_s.append(said.sent_s)
        if len(heard_s) == 3:
            enough.set()

    with_stand_in(place, hear, story)
    assert heard_s == sorted(heard_s)
    assert heard_s[2] - heard_s[0] >= ALIVE_EVERY_S


def test_a_loop_that_hangs_is_cut_off_and_notices(post: Post) -> None:
    async def story(guard: GuardClient) -> None:
        guard.enable()
        hung_s = time.monotonic()
        assert post.line.was_cut.wait(10), "the loop hangs here"
        [cut_s] = post.line.cuts_s
        assert cut_s - hung_s < 1.0
        with pytest.raises(PulsesCut, match="H-222 guard"):
            guard.enable()
        assert not guard.enabled
        with pytest.raises(PulsesCut):
            guard.check()
        await asyncio.sleep(1.5 * ALIVE_EVERY_S)
        guard.enable()
        guard.check()
        assert post.line.enabled

    with_guard(post.place, story)


def test_a_guard_that_ends_is_a_named_fault_and_one_started_anew_is_found(post: Post) -> None:
    async def story(guard: GuardClient) -> None:
        guard.enable()
        post.stop()
        assert not guard.enabled
        with pytest.raises(
            GuardGone, match=r"H-221 guard: expected the guard's answer at .*, seen a guard process that has ended"
        ):
            guard.check()
        with pytest.raises(GuardGone, match="seen nobody there"):
            guard.enable()
        guard.cut()
        again = Post(post.place)
        guard.enable()
        guard.check()
        assert (guard.enabled, again.line.enabled) == (True, True)
        guard.cut()
        again.stop()
        guard.check()

    with_guard(post.place, story)


def test_one_daemon_at_a_time(post: Post) -> None:
    async def story(guard: GuardClient) -> None:
        guard.enable()
        with pytest.raises(GuardGone, match="a guard that serves another process"):
            join_guard([post.place])
        assert guard.enabled
        assert post.line.enabled

    with_guard(post.place, story)
    with_guard(post.place, story)


def test_a_successor_is_let_in_though_his_predecessor_died_in_the_middle_of_a_word(post: Post) -> None:
    for _ in range(20):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as daemon:
            daemon.settimeout(5)
            daemon.connect(str(post.place))
            daemon.send(pack(ENABLE, time.monotonic()))
            assert daemon.recv(1) == PASSES
            for _ in range(10):
                daemon.send(pack(ALIVE, time.monotonic()))


def test_a_guard_that_ends_lets_no_pulse_pass(post: Post) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as daemon:
        daemon.settimeout(5)
        daemon.connect(str(post.place))
        daemon.send(pack(ENABLE, time.monotonic()))
        assert daemon.recv(1) == PASSES
        post.stop()
        assert not post.line.enabled


def test_who_asks_and_never_listens_is_let_go(post: Post) -> None:
    """The queue of a local socket holds some hundred words; a guard that waited for room would not see to its line."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as daemon:
        daemon.settimeout(5)
        daemon.connect(str(post.place))

        def ask_on() -> None:
            for _ in range(20_000):
                daemon.send(pack(ENABLE, time.monotonic()))

        with pytest.raises(OSError, match=r"Broken pipe|reset"):
            ask_on()
    assert not post.line.enabled


def test_the_socket_is_open_to_its_user_and_group_alone(post: Post) -> None:
    assert post.place.stat().st_mode & 0o777 == 0o660


@pytest.mark.parametrize("rubbish", [b"hello", b"\x00" * 64, b"+" * 5000])
def test_who_talks_rubbish_is_cut_off(post: Post, rubbish: bytes) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as daemon:
        daemon.settimeout(5)
        daemon.connect(str(post.place))
        daemon.send(pack(ENABLE, time.monotonic()))
        assert daemon.recv(1) == PASSES
        daemon.send(rubbish)
        assert daemon.recv(1) == b""
        assert not post.line.enabled


def test_silence_is_told(post: Post) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as daemon:
        daemon.settimeout(5)
        daemon.connect(str(post.place))
        daemon.send(pack(ENABLE, time.monotonic() - LIMIT_S + 0.02))
        assert daemon.recv(1) == PASSES
        assert daemon.recv(1) == WAS_SILENT
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as other:
            other.settimeout(5)
            other.connect(str(post.place))
            assert other.recv(1) == IS_BUSY


def test_a_guard_that_hangs_is_a_named_fault(place: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        guard = joined(place)
        answers.set()
        guard.cut()
        assert "no answer" in caplog.text
        guard.close()

    answers = threading.Event()
    with open_listener(place) as listener:

        def answer_once() -> None:
            daemon, _ = listener.accept()
            with daemon:
                daemon.recv(64)
                daemon.send(IS_CUT)
                answers.wait(5)
                daemon.recv(64)
                daemon.recv(64)

        thread = threading.Thread(target=answer_once)
        thread.start()
        with caplog.at_level(logging.ERROR):
            asyncio.run(story())
        thread.join(5)


def test_without_a_guard_there_is_none(place: Path) -> None:
    place.touch()
    assert join_guard([place]) is None
    assert join_guard([]) is None


@needs_root
def test_the_guard_of_a_service_serves_its_group_and_tells_others_that_it_does_not() -> None:
    with folder_of_group(0o2770) as folder:
        with acting_as(SERVICE, GROUP):
            guard = Post(folder / "guard.sock")

        async def story() -> None:
            with acting_as(MEMBER, GROUP):
                joined(guard.place).close()
            with acting_as(STRANGER), pytest.raises(GuardForbids, match=r"H-220 guard: .*adduser NAME shutbox"):
                join_guard([guard.place])

        try:
            asyncio.run(story())
        finally:
            guard.stop()


# What it hears of drives.


def test_a_drive_that_lasts_too_long_is_cut_though_the_daemon_lives(clock: HandClock) -> None:
    line = Line()
    watchdog = Watchdog(line, clock)
    assert watchdog.hear(pack(ENABLE, clock())) == PASSES
    until_s = clock() + 0.7
    assert watchdog.hear(pack(DRIVES, clock(), until_s)) is None
    for _ in range(6):
        clock.pass_s(0.1)
        watchdog.hear(pack(ALIVE, clock(), until_s))
        assert watchdog.cut_if_due() is None
    assert watchdog.left_s == pytest.approx(0.1)
    clock.pass_s(0.11)
    watchdog.hear(pack(ALIVE, clock(), until_s))
    assert watchdog.cut_if_due() == OVERRAN
    assert not line.enabled
    assert watchdog.hear(pack(ENABLE, clock(), until_s)) == IS_CUT, "it still lasts"
    assert watchdog.hear(pack(ENABLE, clock())) == PASSES


def test_word_of_a_drive_is_no_sign_of_life_of_the_loop(clock: HandClock) -> None:
    watchdog = Watchdog(Line(), clock)
    watchdog.hear(pack(ENABLE, clock()))
    for _ in range(6):
        clock.pass_s(0.1)
        watchdog.hear(pack(DRIVES, clock(), clock() + 0.7))
    assert watchdog.cut_if_due() == WAS_SILENT


def test_a_client_whose_drive_lasts_too_long_is_cut_off_and_notices(post: Post) -> None:
    async def story(guard: GuardClient) -> None:
        guard.enable()
        guard.allow_until(guard.now())
        assert await asyncio.to_thread(post.line.was_cut.wait, 10)
        # Its word comes after the cut; the answer to a question comes after its word.
        with pytest.raises(PulsesCut, match="seen one that was still driven"):
            guard.enable()
        with pytest.raises(PulsesCut, match="seen one that was still driven"):
            guard.check()
        guard.allow_until(float("inf"))
        guard.enable()
        guard.check()
        assert post.line.enabled

    with_guard(post.place, story)


def test_a_guard_is_told_of_a_drive_at_once_and_heard_at_once(place: Path) -> None:
    """While the loop does something else: neither waits for the next sign of life."""

    async def story() -> None:
        guard = joined(place)
        try:
            guard.enable()
            guard.allow_until(until_s)
            assert told.wait(10)
            with pytest.raises(PulsesCut):
                guard.check()
        finally:
            guard.close()

    until_s, told = time.monotonic() + 60.0, threading.Event()
    heard: list[tuple[bytes, float]] = []

    def hear(said: Message, reply: Callable[[bytes], int]) -> None:
        heard.append((said.kind, said.until_s))
        if said.kind == DRIVES:
            reply(WAS_SILENT)
            told.set()
        else:
            reply(said.kind)

    with_stand_in(place, hear, story)
    assert heard[2] == (DRIVES, until_s)


def test_a_guard_that_is_gone_when_a_drive_begins_is_found_by_a_check(post: Post) -> None:
    async def story(guard: GuardClient) -> None:
        guard.enable()
        post.stop()
        guard.allow_until(guard.now() + 0.7)
        with pytest.raises(GuardGone):
            guard.check()

    with_guard(post.place, story)
