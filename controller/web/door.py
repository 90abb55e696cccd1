"""The door from the network: connections that the acceptor, a process of its own, passes to the daemon."""

import asyncio
import logging
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence, Set
from contextlib import ExitStack, contextmanager, suppress
from typing import Protocol

from controller.web.security.rates import REQUESTS, Limits

_log = logging.getLogger(__name__)

_ANEW_S = 1.0  # from the end of an acceptor to the next one
_PATIENCE_S = 2.0  # for an acceptor to end


class Door(Protocol):
    """Where connections from the network come from.

    limits: of what is asked through them.
    """

    limits: Limits

    @property
    def known(self) -> Set[str]:
        """The addresses at which a player or an operator is."""

    def connections(self) -> AsyncIterator[socket.socket]:
        """Yield each connection as it comes; it belongs to the caller."""

    def know(self, address: str) -> None:
        """Note that a player or an operator is at this address."""


class AcceptorDoor:
    """The acceptor of these listening sockets. If it ends, another one is started.

    Lifetime: until `close`. Concurrency: one event loop.
    """

    limits = REQUESTS

    def __init__(self, ports: Sequence[socket.socket]) -> None:
        self._ports = ports
        self.known = set[str]()
        self._ours, self._process = self._start()

    async def connections(self) -> AsyncIterator[socket.socket]:
        """Yield each connection that the acceptor passes."""
        loop = asyncio.get_running_loop()
        while True:
            come = asyncio.Event()
            loop.add_reader(self._ours, come.set)
            try:
                await come.wait()
            finally:
                loop.remove_reader(self._ours)
            try:
                said, files, _, _ = socket.recv_fds(self._ours, 1, 1)
            except BlockingIOError:
                continue
            except OSError:
                said, files = b"", []
            for each in files:
                yield socket.socket(fileno=each)
            if not said:
                _log.warning("the acceptor of the network has ended, another one follows status=%s", self._end())
                await asyncio.sleep(_ANEW_S)
                self._ours, self._process = self._start()

    def know(self, address: str) -> None:
        """Tell the acceptor, and each one after it."""
        if address not in self.known:
            self.known.add(address)
            with suppress(OSError):
                self._ours.send(address.encode())

    def close(self) -> None:
        self._end()

    def _start(self) -> tuple[socket.socket, "subprocess.Popen[bytes]"]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, ExitStack() as failed:
            failed.enter_context(ours)
            files = [theirs.fileno(), *(each.fileno() for each in self._ports)]
            command = (sys.executable, "-P", "-m", "controller.web.security.acceptor", *map(str, files))
            process = subprocess.Popen(command, pass_fds=files, stdin=subprocess.DEVNULL)  # noqa: S603
            failed.pop_all()
        ours.setblocking(False)
        for address in self.known:
            with suppress(OSError):
                ours.send(address.encode())
        return ours, process

    def _end(self) -> int:
        self._ours.close()
        try:
            return self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


@contextmanager
def open_door(ports: Sequence[socket.socket]) -> Iterator[AcceptorDoor | None]:
    """Open the door of these listening sockets; None if there are none, or no process can be started."""
    if not ports:
        yield None
        return
    try:
        door = AcceptorDoor(ports)
    except OSError as error:
        _log.warning("no process can be started for the network, which cannot reach this box error=%s", error)
        yield None
        return
    try:
        yield door
    finally:
        door.close()
