"""Notices to a service manager of this kernel's sockets: taken, not taken, and not asked for."""

import itertools
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.runtime.systemd import notify, notify_status, passed_sockets

LONGEST = 4096
# What a service manager does, and what its child makes of it: a listening socket as the fourth file of the process.
PASSED = """
import os, socket
listening = socket.create_server(("127.0.0.1", 0))
name = listening.getsockname()
os.dup2(listening.detach(), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
from controller.runtime.systemd import passed_sockets
[passed] = passed_sockets()
assert passed.getsockname() == name
assert not passed.get_inheritable()
passed.close()
"""


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    address = tmp_path / "notify"
    monkeypatch.setenv("NOTIFY_SOCKET", str(address))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(address))
        listener.setblocking(False)
        yield listener


def test_words_are_told_on_one_line(manager: socket.socket) -> None:
    assert notify_status("Ann\n throws")
    assert manager.recv(LONGEST) == b"STATUS=Ann throws"


def test_words_do_not_wait_for_a_manager_that_does_not_listen(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits_s: list[float | None] = []
    set_timeout = socket.socket.settimeout

    def note_wait(channel: socket.socket, wait_s: float | None) -> None:
        waits_s.append(wait_s)
        set_timeout(channel, wait_s)

    monkeypatch.setattr(socket.socket, "settimeout", note_wait)
    told = sum(1 for _ in itertools.takewhile(lambda number: notify_status(str(number)), itertools.count()))
    assert set(waits_s) == {0}  # 0.1 s a sentence once held up everybody at the table
    # It listens again: what was dropped is missing, and what is said now is heard.
    assert [manager.recv(LONGEST) for _ in range(told)][-1] == f"STATUS={told - 1}".encode()
    assert notify_status("Ben throws")
    assert manager.recv(LONGEST) == b"STATUS=Ben throws"


def test_a_state_that_is_not_taken_is_no_error(manager: socket.socket) -> None:
    while notify_status("Ann throws"):
        pass
    assert not notify("READY=1", patience_s=0.001)


def test_without_a_manager_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert notify("READY=1")
    assert notify_status("Ann throws")


def test_a_socket_that_was_passed_is_taken() -> None:
    subprocess.run([sys.executable, "-c", PASSED], check=True)


def test_sockets_of_another_process_are_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert passed_sockets() == []
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    assert passed_sockets() == []
