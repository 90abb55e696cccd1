"""The acceptor, in a thread of this process, passes on connections within their rate and tells the others why not."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import pytest

from controller.errors import TooBusy
from controller.runtime.machine import open_port
from controller.web.security import acceptor
from controller.web.security.rates import CONNECTIONS, TOO_MUCH

ONE = round(CONNECTIONS.stranger.at_once)


class Box:
    """The daemon's end: what it is passed, and a way for strangers to come."""

    def __init__(self, ours: socket.socket, port: int, stack: ExitStack) -> None:
        self.ours = ours
        self._port = port
        self._stack = stack

    def come(self, address: str) -> socket.socket:
        stranger = self._stack.enter_context(socket.create_connection(("127.0.0.1", self._port), 10, (address, 0)))
        stranger.settimeout(10)
        return stranger

    def take(self) -> str:
        """Take the connection that is passed next; the address that it came from."""
        said, [number], _, _ = socket.recv_fds(self.ours, 1, 1)
        assert said
        with socket.socket(fileno=number) as passed:
            address: str = passed.getpeername()[0]
            return address


@contextmanager
def open_acceptor() -> Iterator[Box]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ExitStack() as stack, ours, theirs, open_port("127.0.0.1", 0) as port:
        ours.settimeout(10)
        running = threading.Thread(target=acceptor.Acceptor(theirs, [port]).run)
        running.start()
        try:
            yield Box(ours, port.getsockname()[1], stack)
        finally:
            ours.close()
            running.join(10)
            assert not running.is_alive(), "it ends with the daemon"


@pytest.fixture(autouse=True)
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, nobody gains a right to come once more meanwhile."""
    monkeypatch.setattr(acceptor, "time", SimpleNamespace(monotonic=lambda: 0.0))


def test_one_who_comes_too_often_is_told_so_and_others_come_in() -> None:
    with open_acceptor() as box:
        for _ in range(ONE):
            box.come("127.0.0.2")
            assert box.take() == "127.0.0.2"
        refused = box.come("127.0.0.2")
        head, _, body = refused.recv(1000).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ")
        assert b"Retry-After: 2" in head
        assert json.loads(body) == {"error": TOO_MUCH, "code": TooBusy.code}
        assert refused.recv(1) == b""
        box.come("127.0.0.3")
        assert box.take() == "127.0.0.3"


def test_those_who_are_known_come_in_though_strangers_have_used_everything_up() -> None:
    with open_acceptor() as box:
        for number in range(round(CONNECTIONS.strangers.at_once)):
            box.come(f"127.0.1.{number // 8}")
            box.take()
        assert box.come("127.0.2.1").recv(12) == b"HTTP/1.1 429"
        box.ours.send(b"127.0.2.2")
        box.come("127.0.2.2")
        assert box.take() == "127.0.2.2"
