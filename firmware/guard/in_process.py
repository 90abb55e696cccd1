"""A guard of the pulses within the daemon's own process, for a box without a guard process."""

import logging
import threading
import time
from collections.abc import Callable

from firmware.errors import PulsesCut
from firmware.guard.line import OutputEnableLine
from firmware.wire import OpenAlarm

_NEVER = float("inf")
_log = logging.getLogger(__name__)


class ThreadAlarm:
    """Calls `ring` in its own thread at the time it is set to.

    It depends on neither loop nor bus. Only code that holds the interpreter's lock can delay it, hence the
    guard process.

    Lifetime: a daemon thread from the first `set_to` until `close`. Concurrency: any thread; `ring` is called without a
    lock.
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._changed = threading.Condition()
        self._due_s = _NEVER
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def now(self) -> float:
        """Return the seconds on the clock of `set_to`: CLOCK_MONOTONIC, as in the event loop."""
        return time.monotonic()

    def set_to(self, at_s: float) -> None:
        with self._changed:
            # A thread that waits for an earlier time looks again at that time by itself.
            sooner = at_s < self._due_s
            self._due_s = at_s
            if sooner:
                if self._thread is None and not self._is_closed:
                    self._thread = threading.Thread(target=self._wait_and_ring, name="alarm", daemon=True)
                    self._thread.start()
                self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _wait_and_ring(self) -> None:
        while self._wait_until_due():
            try:
                self._ring()
            except Exception:  # any error of the header's library: the next drive needs its alarm too
                _log.exception("pulses could not be cut")

    def _wait_until_due(self) -> bool:
        """Wait for the set time; return False after `close`."""
        with self._changed:
            while not self._is_closed:
                left_s = self._due_s - time.monotonic()
                if left_s <= 0.0:
                    self._due_s = _NEVER
                    return True
                self._changed.wait(None if left_s == _NEVER else left_s)
        return False


_PART = "/OE"


class InProcessGuard:
    """Lets pulses pass until `cut`, or until a drive has lasted too long.

    Its own alarm ends such a drive, because loop and bus may both be what keeps the servo from being released.

    Lifetime: pulses off at first; `close` cuts them and releases the line, which it owns. Concurrency: any thread.
    """

    def __init__(self, line: OutputEnableLine, open_alarm: OpenAlarm) -> None:
        self._line = line
        self._alarm = open_alarm(self._cut_if_due)
        # A simulated alarm may ring while its line is being switched.
        self._one_at_a_time = threading.RLock()
        self._until_s = _NEVER
        self._overran = False

    def now(self) -> float:
        return self._alarm.now()

    @property
    def enabled(self) -> bool:
        self._cut_if_due()
        return self._line.enabled

    def enable(self) -> None:
        """Let pulses pass. Raises `PulsesCut` if a running drive has already lasted too long."""
        now_s = self.now()
        with self._one_at_a_time:
            self._overran = now_s >= self._until_s
            if self._overran:
                raise overran(_PART)
            self._line.enable()

    def allow_until(self, at_s: float) -> None:
        with self._one_at_a_time:
            self._until_s = at_s
        self._alarm.set_to(at_s)

    def cut(self) -> None:
        self._cut_if_due()
        with self._one_at_a_time:
            self._line.cut()

    def check(self) -> None:
        """Raise `PulsesCut` if a drive that lasted too long was cut, until the next `enable`."""
        self._cut_if_due()
        if self._overran:
            raise overran(_PART)

    def close(self) -> None:
        """Stop all pulses and release the line to its pull-up."""
        self._alarm.close()
        with self._one_at_a_time:
            # An alarm that is already ringing finds nothing to cut.
            self._until_s = _NEVER
            self._line.close()

    def _cut_if_due(self) -> None:
        now_s = self.now()
        with self._one_at_a_time:
            # Since the alarm rang, the drive may have ended or another may have begun.
            if now_s >= self._until_s and self._line.enabled:
                self._line.cut()
                self._overran = True


def overran(part: str) -> PulsesCut:
    return PulsesCut(part, expected="every servo let go in time", seen="one that was still driven")
