"""The door from the network: a real acceptor, another one when it ends, and the throttle behind it."""

import asyncio
import signal
import socket
import subprocess

import pytest

from controller.runtime.machine import open_port
from controller.web import door as door_module
from controller.web.door import AcceptorDoor, open_door
from controller.web.security.rates import Limits, Rate
from tests.support import strangers
from tests.support.strangers import open_door as open_own_door

GET = b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def come_in(door: AcceptorDoor, port: int) -> str:
    """Come to the port; the address from which somebody is passed next. In real time: the acceptor is a process."""

    async def first() -> socket.socket:
        async for passed in door.connections():
            return passed
        raise AssertionError

    with socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.5", 0)), asyncio.run(first()) as passed:
        address: str = passed.getpeername()[0]
        return address


def test_another_acceptor_follows_one_that_has_ended(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(door_module, "_ANEW_S", 0.0)
    with open_port("127.0.0.1", 0) as sock, open_door([sock]) as door:
        assert door is not None
        port = sock.getsockname()[1]
        door.know("127.0.0.5")
        assert come_in(door, port) == "127.0.0.5"
        first = door._process
        first.send_signal(signal.SIGKILL)
        first.wait()
        assert come_in(door, port) == "127.0.0.5"
        assert "another one follows status=-9" in caplog.text
        second = door._process
    assert second.wait() == 0, "it ends with the daemon"


def test_without_a_port_there_is_no_door() -> None:
    with open_door([]) as door:
        assert door is None


def test_without_a_process_the_box_is_played_on_without_the_network(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", fail)
    with open_port("127.0.0.1", 0) as sock, open_door([sock]) as door:
        assert door is None
    assert "no more processes" in caplog.text


async def test_what_is_asked_beyond_the_limits_is_refused_and_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strangers.OwnDoor, "limits", Limits(Rate(3, 0.5), Rate(5, 1), Rate(9, 1), apart_s=0.05))
    async with open_own_door() as door:
        began_s = asyncio.get_running_loop().time()
        answers = await door.say(GET * 20)
        assert [each.status for each in answers] == [404, 404, 404, 429]
        assert (answers[-1].headers["connection"], answers[-1].headers["retry-after"]) == ("close", "2")
        assert 0.15 <= asyncio.get_running_loop().time() - began_s < 1.0, "one by one"
        await asyncio.sleep(2.0)
        assert (await door.say(GET * 2))[0].status == 404
