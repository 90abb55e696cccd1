"""An alarm clock in its own thread, which rings on time even if the event loop or the bus hangs."""

import logging
import threading
import time
from collections.abc import Callable

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
