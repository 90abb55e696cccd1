"""The daemon's end of the guard process: asks it to let pulses pass, and sends signs of life of the event loop."""

import asyncio
import logging
import math
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from firmware.errors import BusFault, GuardForbids, GuardGone, PulsesCut
from firmware.guard.in_process import overran
from firmware.guard.protocol import (
    ALIVE,
    ALIVE_EVERY_S,
    CUT,
    DRIVES,
    ENABLE,
    IS_BUSY,
    LIMIT_S,
    OVERRAN,
    PASSES,
    WAS_SILENT,
    pack,
)

_log = logging.getLogger(__name__)

_PART = "guard"
_PATIENCE_S = 0.5  # a live guard answers within a millisecond
_UNASKED = (WAS_SILENT, OVERRAN)


class GuardClient:
    """A guard that listens at `place`: it owns the line, and expects signs of life while pulses pass.

    The event loop itself sends them, so that a hanging loop falls silent.

    Lifetime: made inside the running loop, pulses off; `close` stops them and leaves the guard to others. `enable`
    connects again to a restarted guard.
    Concurrency: any thread. Raises `GuardGone` if the guard does not answer at the start.
    """

    def __init__(self, place: Path, connected: socket.socket) -> None:
        self._place = place
        self._one_at_a_time = threading.Lock()
        self._socket: socket.socket | None = connected
        self._passes = False
        self._trouble: Callable[[], BusFault] | None = None
        self._until_s = math.inf
        self._loop_lived_s = time.monotonic()
        with self._one_at_a_time:
            self._ask(CUT)
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(ALIVE_EVERY_S, self._send_alive)

    def now(self) -> float:
        """Return the seconds of CLOCK_MONOTONIC, which is the guard's clock too."""
        return time.monotonic()

    @property
    def enabled(self) -> bool:
        with self._one_at_a_time:
            self._listen()
            return self._passes

    def enable(self) -> None:
        """Let pulses pass.

        Raises `GuardGone`; `PulsesCut` if the guard refuses because the event loop was silent, or a drive lasted, for
        too long.
        """
        with self._one_at_a_time:
            if time.monotonic() - self._loop_lived_s > LIMIT_S:
                # The guard has cut by now, though its message may still be on the way.
                self._stop(_was_silent)
                raise _was_silent()
            if self._socket is None:
                # A new guard may have replaced the one that is gone.
                try:
                    self._socket = _connect(self._place)
                except OSError as error:
                    raise self._gone("nobody there") from error
            self._trouble = None
            if self._ask(ENABLE) != PASSES:
                late = time.monotonic() >= self._until_s
                self._trouble = (lambda: overran(_PART)) if late else _was_silent
                raise self._trouble()
            self._passes = True

    def allow_until(self, at_s: float) -> None:
        with self._one_at_a_time:
            self._until_s = at_s
            if self._passes and self._socket is not None:
                try:
                    self._send(DRIVES)
                except OSError:
                    _log.error("%s", self._lose("no connection to the guard"))

    def cut(self) -> None:
        """Stop all pulses at once; done when it returns.

        A guard that is gone has released the line. A kernel configured as in `hardware/README.md` then makes it an
        input; any other leaves it as it is until the guard is started again.
        """
        with self._one_at_a_time:
            self._passes = False
            if self._socket is not None:
                try:
                    self._ask(CUT)
                except GuardGone as gone:
                    _log.error("stopping all pulses failed fault=%s", gone)

    def check(self) -> None:
        with self._one_at_a_time:
            self._listen()
            if self._trouble is not None:
                raise self._trouble()

    def close(self) -> None:
        self._timer.cancel()
        self.cut()
        with self._one_at_a_time:
            self._leave()

    def _send_alive(self) -> None:
        self._loop_lived_s = time.monotonic()
        self._timer = self._loop.call_later(ALIVE_EVERY_S, self._send_alive)
        # A pending request is a sign of life itself.
        if self._one_at_a_time.acquire(blocking=False):
            try:
                self._listen()
                if self._passes and self._socket is not None:
                    # A full queue is the guard's fault, not ours; its answer to the next request shows it.
                    with suppress(OSError):
                        self._send(ALIVE, self._loop_lived_s)
            finally:
                self._one_at_a_time.release()

    def _send(self, kind: bytes, at_s: float | None = None) -> None:
        """Send a message without waiting for an answer. Raises `OSError`."""
        if self._socket is not None:
            self._socket.send(pack(kind, time.monotonic() if at_s is None else at_s, self._until_s))

    def _ask(self, kind: bytes) -> bytes:
        """Send a message and wait for the answer. Raises `GuardGone`."""
        guard = self._socket
        if guard is None:
            raise self._gone("nobody there")
        try:
            # A guard that refused us sent the reason before it hung up.
            with suppress(BrokenPipeError):
                self._send(kind)
            word = _hear(guard, _PATIENCE_S)
            while word in _UNASKED:
                word = _hear(guard, _PATIENCE_S)
        except OSError as error:
            raise self._lose("no answer") from error
        if word == IS_BUSY:
            raise self._lose("a guard that serves another process")
        if not word:
            raise self._lose("a guard process that has ended")
        return word

    def _listen(self) -> None:
        while self._socket is not None:
            try:
                word = _hear(self._socket, 0.0)
            except TimeoutError:
                return
            except OSError:
                word = b""
            if word == WAS_SILENT:
                _log.warning("guard stopped all pulses, daemon was silent limit_s=%.1f", LIMIT_S)
                self._stop(_was_silent)
            elif word == OVERRAN:
                _log.warning("guard stopped all pulses, servo was driven for too long")
                self._stop(lambda: overran(_PART))
            else:
                _log.error("%s", self._lose("a guard process that has ended"))

    def _stop(self, trouble: Callable[[], BusFault]) -> None:
        if self._passes:
            self._passes, self._trouble = False, trouble

    def _lose(self, seen: str) -> GuardGone:
        self._stop(lambda: self._gone(seen))
        self._leave()
        return self._gone(seen)

    def _leave(self) -> None:
        guard, self._socket = self._socket, None
        if guard is not None:
            guard.close()

    def _gone(self, seen: str) -> GuardGone:
        return GuardGone(_PART, expected=f"the guard's answer at {self._place}", seen=seen)


def _was_silent() -> PulsesCut:
    return PulsesCut(_PART, expected=f"a sign of life within {LIMIT_S} s", seen="a daemon that kept silent")


def join_guard(places: Iterable[Path]) -> GuardClient | None:
    """Return the guard that listens at one of `places`, pulses off; None if none does.

    Raises `GuardGone` if it serves another process or does not answer; `GuardForbids` if it is closed to this user.
    """
    for place in places:
        try:
            connected = _connect(place)
        except OSError:
            continue
        return GuardClient(place, connected)
    return None


def _connect(place: Path) -> socket.socket:
    """Connect to the guard that listens at `place`. Raises `OSError`, and `GuardForbids` for a closed socket."""
    guard = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    guard.setblocking(False)
    try:
        guard.connect(str(place))
    except PermissionError as error:
        guard.close()
        # This differs from no guard: one that cannot be asked still holds the line.
        raise GuardForbids(_PART, expected=f"to be let in at {place}", seen="a socket closed to this user") from error
    except OSError:
        guard.close()
        raise
    return guard


def _hear(guard: socket.socket, patience_s: float) -> bytes:
    """Return the guard's next message; empty if it has gone. Raises `OSError` (`TimeoutError`: no message)."""
    if not select.select([guard], [], [], patience_s)[0]:
        raise TimeoutError
    try:
        return guard.recv(1)
    except ConnectionResetError:
        # The reset is reported once, before the last message.
        return guard.recv(1)
