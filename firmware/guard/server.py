"""The guard's own process: it owns /OE, and cuts the pulses of a daemon that falls silent.

It is small on purpose: no event loop, no thread, no bus, and a single `select` to wait in.
"""

import logging
import math
import os
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from firmware.guard.protocol import (
    ALIVE,
    DRIVES,
    ENABLE,
    IS_BUSY,
    IS_CUT,
    LIMIT_S,
    LONGEST,
    OVERRAN,
    PASSES,
    WAS_SILENT,
    unpack,
)

_log = logging.getLogger(__name__)

_REASONS = {WAS_SILENT: f"daemon was silent for {LIMIT_S} s", OVERRAN: "servo was driven for too long"}
_TICK_S = 1.0  # interval of the signs of life to systemd, which waits for WatchdogSec=5 of the unit


class Switchable(Protocol):
    """The line that the watchdog switches; the same methods as `OutputEnableLine`."""

    @property
    def enabled(self) -> bool:
        """True if pulses pass."""

    def enable(self) -> None: ...

    def cut(self) -> None: ...


class Watchdog:
    """The dead man's switch: decides when pulses pass, by signs of life and reported drives.

    It knows nothing of sockets. A daemon that is alive but whose bus hangs is recognised by drives that last too long.

    Lifetime: pulses are off at first. Concurrency: one thread.
    """

    def __init__(self, line: Switchable, clock: Callable[[], float]) -> None:
        self._line = line
        self._clock = clock
        self._alive_s = 0.0
        self._until_s = math.inf

    @property
    def left_s(self) -> float:
        """Seconds until pulses must be cut unless a message comes; infinite while no pulses pass."""
        if not self._line.enabled:
            return math.inf
        return max(0.0, min(self._alive_s + LIMIT_S, self._until_s) - self._clock())

    def hear(self, message: bytes) -> bytes | None:
        """Obey a message of the daemon; return the answer, or None if none is due. Raises `ValueError` for garbage."""
        said = unpack(message)
        now_s = self._clock()
        self._until_s = said.until_s
        if said.kind == DRIVES:
            return None
        self._alive_s = min(said.sent_s, now_s)
        if said.kind == ALIVE:
            return None
        if said.kind == ENABLE and now_s - self._alive_s < LIMIT_S and now_s < self._until_s:
            self._line.enable()
            return PASSES
        self._line.cut()
        return IS_CUT

    def cut_if_due(self) -> bytes | None:
        """Cut if the daemon was silent, or a drive lasted, for too long; return the message for it, or None."""
        if self.left_s > 0.0:
            return None
        self._line.cut()
        return OVERRAN if self._until_s <= self._clock() else WAS_SILENT

    def disconnect(self) -> bool:
        """Cut, since the daemon is gone; return True if pulses were passing."""
        passed = self._line.enabled
        self._line.cut()
        return passed


class GuardServer:
    """Serves one daemon at a time; the next one when it has gone.

    `tick` is called about once a second. The caller owns the socket of `open_listener` and the line.

    Lifetime: `serve` runs until an exception, such as a signal's, ends it. Concurrency: one thread.
    """

    def __init__(self, listener: socket.socket, line: Switchable, tick: Callable[[], None]) -> None:
        self._listener = listener
        self._watchdog = Watchdog(line, time.monotonic)
        self._tick = tick
        self._ticked_s = 0.0
        self._daemon: socket.socket | None = None
        self._selector = selectors.DefaultSelector()

    def serve(self) -> None:
        with self._selector:
            self._selector.register(self._listener, selectors.EVENT_READ)
            try:
                while True:
                    now_s = time.monotonic()
                    if now_s - self._ticked_s >= _TICK_S:
                        self._ticked_s = now_s
                        self._tick()
                    self._wait()
            finally:
                self._let_go()

    def _wait(self) -> None:
        ready = {key.fileobj for key, _ in self._selector.select(min(_TICK_S, self._watchdog.left_s))}
        # The daemon comes first, so that one that has just died does not keep out its successor.
        if self._daemon in ready:
            self._hear()
        if self._listener in ready:
            self._admit()
        word = self._watchdog.cut_if_due()
        if word is not None:
            _log.warning("pulses stopped: %s", _REASONS[word])
            self._say(word)

    def _hear(self) -> None:
        """Read all messages to the end, since a daemon's last one must not hide that it has gone."""
        while self._daemon is not None:
            try:
                message = self._daemon.recv(LONGEST, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            except OSError:
                message = b""
            try:
                answer = self._watchdog.hear(message)
            except ValueError as error:
                if message:
                    _log.warning("disconnected the daemon, message not understood error=%s", error)
                self._let_go()
                return
            if answer is not None:
                self._say(answer)

    def _admit(self) -> None:
        with suppress(OSError):
            newcomer, _ = self._listener.accept()
            if self._daemon is not None:
                with newcomer:
                    newcomer.send(IS_BUSY, socket.MSG_DONTWAIT)
                return
            self._daemon = newcomer
            self._selector.register(newcomer, selectors.EVENT_READ)

    def _say(self, word: bytes) -> None:
        if self._daemon is not None:
            try:
                self._daemon.send(word, socket.MSG_DONTWAIT)
            except OSError:
                self._let_go()

    def _let_go(self) -> None:
        daemon, self._daemon = self._daemon, None
        if self._watchdog.disconnect():
            _log.warning("pulses stopped: daemon has disconnected")
        if daemon is not None:
            self._selector.unregister(daemon)
            daemon.close()


@contextmanager
def open_listener(place: Path) -> Iterator[socket.socket]:
    """Open the guard's socket at `place`, replacing that of a killed guard. Raises `OSError`.

    It is open to this user and, if the folder admits them, to users of the group, who calibrate and test the box too.
    """
    place.unlink(missing_ok=True)
    before = os.umask(0o117)
    try:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(str(place))
    finally:
        os.umask(before)
    with listener:
        listener.listen()
        try:
            yield listener
        finally:
            place.unlink(missing_ok=True)
