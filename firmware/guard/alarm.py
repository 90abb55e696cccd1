"""An alarm clock in a thread of its own: it rings on time while the event loop or the bus stands still."""

import logging
import threading
import time
from collections.abc import Callable

_NEVER = float("inf")
_log = logging.getLogger(__name__)


class ThreadAlarm:
    """Calls `ring` in its own thread once the time it is set to has come.

    It waits for no loop and no bus. What it cannot outlive is something that holds the interpreter's lock; against
    that there is the guard's process.

    Lifetime: a daemon thread from the first `set_to` until `close`. Concurrency: any thread; `ring` is called while
    nothing is locked here.
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._changed = threading.Condition()
        self._due_s = _NEVER
        self._thread: threading.Thread | None = None
        self._is_closed = False

    def now(self) -> float:
        """Seconds of the clock that `set_to` means: CLOCK_MONOTONIC, as an event loop's."""
        return time.monotonic()

    def set_to(self, at_s: float) -> None:
        """Ring at this time, and at no other; infinity: not at all."""
        with self._changed:
            # Who waits for an earlier time looks by itself when that has come.
            sooner = at_s < self._due_s
            self._due_s = at_s
            if sooner:
                self._start()
                self._changed.notify()

    def close(self) -> None:
        """Never ring again."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _start(self) -> None:
        if self._thread is None and not self._is_closed:
            self._thread = threading.Thread(target=self._wait_and_ring, name="alarm", daemon=True)
            self._thread.start()

    def _wait_and_ring(self) -> None:
        while self._wait_until_due():
            try:
                self._ring()
            except Exception:  # whatever the header's library raises: the next drive needs its alarm too
                _log.exception("what was to be cut could not be cut")

    def _wait_until_due(self) -> bool:
        """Wait for the time that is set; False once nobody needs to wait any more."""
        with self._changed:
            while not self._is_closed:
                left_s = self._due_s - time.monotonic()
                if left_s <= 0.0:
                    self._due_s = _NEVER
                    return True
                self._changed.wait(None if left_s == _NEVER else left_s)
        return False
