"""The bridge beside a daemon and a real broker, each a process: cut off, lied to, flooded and killed."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, Self

import pytest

from controller.cli.bridge.connection import KEEPALIVE_S
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.runtime.machine import open_port
from controller.web.client import Client
from controller.web.network import find_socket

_PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"
_TOOLS = ("mosquitto", "mosquitto_sub", "mosquitto_pub", "mosquitto_passwd")
MOSQUITTO, SUB, PUB, PASSWD = (shutil.which(name, path=_PATH) or "" for name in _TOOLS)
PROGRAM = (sys.executable, "-P", "-c", "from controller.cli.main import main; main()")
PATIENCE_S = 60.0

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not (MOSQUITTO and SUB and PUB), reason="no mosquitto with its clients here"),
]


def program(home: Path, *words: str) -> "subprocess.Popen[bytes]":
    log = (home / f"{words[0]}.log").open("ab")
    with log:
        return subprocess.Popen(
            [*PROGRAM, *words], env=os.environ | {"SHUTBOX_HOME": str(home)}, stderr=log, stdout=log
        )


@contextmanager
def running(process: "subprocess.Popen[bytes]") -> Iterator["subprocess.Popen[bytes]"]:
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def open_broker(folder: Path, port: int) -> Iterator["subprocess.Popen[str]"]:
    """A real broker that knows one user and a password, and listens."""
    file = folder / "mosquitto.conf"
    lines = (f"listener {port} 127.0.0.1", "allow_anonymous false", f"password_file {folder}/passwords")
    # Started by root it would become a user who may not read what lies here.
    file.write_text("\n".join((*lines, *(("user root",) if os.getuid() == 0 else ()), "")))
    with subprocess.Popen([MOSQUITTO, "-c", file], stderr=subprocess.PIPE, text=True) as broker:
        try:
            assert broker.stderr is not None
            assert any("running" in line for line in broker.stderr)
            yield broker
        finally:
            broker.kill()


class Ear:
    """Hears all that a broker is told."""

    def __init__(self, port: int) -> None:
        self.heard: list[tuple[str, str]] = []
        words = [SUB, "-p", str(port), "-u", "box", "-P", "let me in", "-t", "#", "-q", "1", "-v"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, errors="replace")
        self._thread = Thread(target=self._listen)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._thread.join()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            topic, _, payload = line.rstrip("\n").partition(" ")
            self.heard.append((topic, payload))

    def last(self, topic: str) -> str:
        return next((payload for each, payload in reversed(self.heard) if each == topic), "")

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(payload) for topic, payload in self.heard if topic == "shutbox/parlour/event"]


def say(port: int, topic: str, payload: str | bytes, *more: str) -> None:
    given = payload.encode() if isinstance(payload, str) else payload
    words = [PUB, "-p", str(port), "-u", "box", "-P", "let me in", "-t", topic, "-s", "-q", "1", *more]
    subprocess.run(words, input=given, check=True)


def until(holds: Any, what: str, within_s: float = PATIENCE_S) -> None:
    late_s = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < late_s, what
        os.sched_yield()


def state(home: Path) -> Snapshot:
    async def ask() -> Snapshot:
        async with Client(find_socket(Home(home, home, fixed=True))) as client:
            return await client.state()

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:  # one whose clock is real
        return runner.run(ask())


def set_up(folder: Path, allow: Sequence[str]) -> tuple[Path, int]:
    """The home of a box whose settings name a broker, which knows it, and the port at which that is to be."""
    home = folder / "home"
    home.mkdir()
    with open_port("127.0.0.1", 0) as free:
        port = int(free.getsockname()[1])
    (folder / "password").write_text("let me in\n")
    subprocess.run([PASSWD, "-b", "-c", str(folder / "passwords"), "box", "let me in"], check=True)
    (home / "settings.toml").write_text(
        'players = ["Ann", "Ben"]\nhouse_players = ["Ann", "Ben"]\n[pace]\nhouse_thinks_s = 0.1\n'
        f'[bridge]\nhost = "127.0.0.1"\nport = {port}\nname = "Parlour"\nallow = {json.dumps(list(allow))}\n'
        f'user = "box"\npassword_file = "{folder}/password"\n'
    )
    return home, port


def test_of_a_broker_that_is_cut_lied_to_and_flooded_the_game_notices_nothing(tmp_path: Path) -> None:
    pytest.importorskip("aiomqtt", reason="no aiomqtt here: make lanes")
    home, port = set_up(tmp_path, ["start"])
    with ExitStack() as stack:
        broker = stack.enter_context(open_broker(tmp_path, port))
        stack.enter_context(running(program(home, "run", "--mock")))
        until(lambda: find_socket(Home(home, home, fixed=True)).exists(), "no daemon")
        # Lies that were kept from another evening: a state, and a command.
        say(port, "shutbox/parlour/state", "{}", "-r")
        say(port, "shutbox/parlour/set", "start", "-r")
        bridge = stack.enter_context(running(program(home, "bridge")))
        ear = stack.enter_context(Ear(port))
        until(lambda: ear.last("shutbox/parlour/available") == "online", "not online")
        until(lambda: json.loads(ear.last("shutbox/parlour/state") or "{}").get("phase") == "idle", "a lie stands")
        assert "cmps" in json.loads(ear.last("homeassistant/device/shutbox_parlour/config"))
        assert state(home).phase == "idle"

        say(port, "shutbox/parlour/set", "start")
        until(lambda: any(event["event_type"] == "throw" for event in ear.events()), "no throw is told")
        game = state(home).game_id
        for payload in (b"x" * 200_000, b"\xff\xfe", b"pause", b'{"do": "abandon"}'):
            say(port, "shutbox/parlour/set", payload)
            say(port, "shutbox/attic/set", payload)
            say(port, "homeassistant/status", payload)
        broker.kill()
        broker.wait()
        before = state(home).event
        until(lambda: state(home).event > before, "the game stands still without a broker")
        assert state(home).game_id == game
        assert state(home).phase not in ("parked", "halted")

        stack.enter_context(open_broker(tmp_path, port))
        again = stack.enter_context(Ear(port))
        until(lambda: again.last("shutbox/parlour/available") == "online", "not online again")
        bridge.send_signal(signal.SIGKILL)
        until(lambda: again.last("shutbox/parlour/available") == "offline", "still online", KEEPALIVE_S * 1.5 + 5)
    for log in ("bridge.log", "run.log"):
        assert "let me in" not in (home / log).read_text()


def test_a_bridge_that_is_stopped_says_so_at_once(tmp_path: Path) -> None:
    pytest.importorskip("aiomqtt", reason="no aiomqtt here: make lanes")
    home, port = set_up(tmp_path, [])
    with ExitStack() as stack:
        stack.enter_context(open_broker(tmp_path, port))
        stack.enter_context(running(program(home, "run", "--mock")))
        until(lambda: find_socket(Home(home, home, fixed=True)).exists(), "no daemon")
        bridge = stack.enter_context(running(program(home, "bridge")))
        ear = stack.enter_context(Ear(port))
        until(lambda: ear.last("shutbox/parlour/available") == "online", "not online")
        bridge.send_signal(signal.SIGTERM)
        until(lambda: ear.last("shutbox/parlour/available") == "offline", "still online", 5)
        assert bridge.wait(10) in (0, 130, -15, 143)
