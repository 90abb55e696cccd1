"""The box as Home Assistant has it: found by itself, never unavailable while it runs, and at once when it does not."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import httpx
import pytest

from controller.cli.bridge.connection import KEEPALIVE_S
from controller.cli.bridge.entities import Topics, discovery_of
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.runtime.machine import open_port
from controller.web.client import Client
from controller.web.network import find_socket

TREE = Path(os.environ["ASSISTANT_TREE"])
PROGRAM = (sys.executable, "-P", "-c", "from controller.cli.main import main; main()")
PUB = shutil.which("mosquitto_pub") or ""
PATIENCE_S = 90.0
CONFIGURATION = """http:
  server_host: 127.0.0.1
  server_port: {port}
api:
onboarding:
auth:
config:
websocket_api:
logger:
  default: warning
"""


def until(holds: Callable[[], object], what: str, within_s: float = PATIENCE_S) -> float:
    """Wait until it holds, and return the seconds."""
    began_s = time.monotonic()
    while not holds():
        assert time.monotonic() - began_s < within_s, what
        os.sched_yield()
    return time.monotonic() - began_s


def free_port() -> int:
    with open_port("127.0.0.1", 0) as free:
        return int(free.getsockname()[1])


@contextmanager
def running(words: list[str] | tuple[str, ...], log: Path, **env: str) -> Iterator["subprocess.Popen[bytes]"]:
    with log.open("ab") as file, subprocess.Popen(words, stdout=file, stderr=file, env=os.environ | env) as process:
        try:
            yield process
        finally:
            process.kill()


class Assistant:
    """A Home Assistant with an owner and the broker at this port."""

    def __init__(self, folder: Path, broker: int) -> None:
        self._port, self._broker, self._log = free_port(), broker, folder / "assistant.log"
        self._token = ""
        shutil.rmtree(TREE / "ha/config", ignore_errors=True)
        (TREE / "ha/config").mkdir()
        (TREE / "ha/config/configuration.yaml").write_text(CONFIGURATION.format(port=self._port))

    def __enter__(self) -> Self:
        self.start()
        self._become_owner()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        words = ["chroot", str(TREE), "/ha/bin/hass", "-c", "/ha/config", "--skip-pip"]
        env = {"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(words, stdout=log, stderr=log, env=env)
        until(self._answers, "Home Assistant does not start")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def call(self, method: str, path: str, body: Any = None, *, form: bool = False) -> Any:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        given = {} if body is None else {"data": body} if form else {"json": body}
        address = f"http://127.0.0.1:{self._port}{path}"
        return httpx.request(method, address, headers=headers, timeout=20, **given).raise_for_status().json()

    def states(self, box: str) -> dict[str, str]:
        """The states of the entities of a box, by what follows its name."""
        begin = f"shut_the_box_{box}_"
        found = ((each["entity_id"].partition(".")[2], each["state"]) for each in self.call("GET", "/api/states"))
        return {name.removeprefix(begin): state for name, state in found if name.startswith(begin)}

    def press(self, box: str, button: str) -> None:
        self.call("POST", "/api/services/button/press", {"entity_id": f"button.shut_the_box_{box}_{button}"})

    def _answers(self) -> bool:
        try:
            httpx.get(f"http://127.0.0.1:{self._port}/api/onboarding")
        except httpx.TransportError:
            return False
        return True

    def _become_owner(self) -> None:
        client = f"http://127.0.0.1:{self._port}/"
        owner = {"client_id": client, "name": "Ann", "username": "ann", "password": "let me in", "language": "en"}
        code = self.call("POST", "/api/onboarding/users", owner)["auth_code"]
        asked = {"grant_type": "authorization_code", "code": code, "client_id": client}
        self._token = self.call("POST", "/auth/token", asked, form=True)["access_token"]
        for step in ("core_config", "analytics", "integration"):
            self.call("POST", f"/api/onboarding/{step}", {"client_id": client, "redirect_uri": client})
        flow = self.call("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        address = f"/api/config/config_entries/flow/{flow['flow_id']}"
        entry = self.call("POST", address, {"broker": "127.0.0.1", "port": self._broker})
        assert entry["type"] == "create_entry", entry


@contextmanager
def open_broker(folder: Path, port: int) -> Iterator[None]:
    file = folder / "mosquitto.conf"
    file.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\n")
    with running(["mosquitto", "-c", str(file)], folder / "broker.log"):
        yield


def say(port: int, topic: str, payload: bytes, *more: str) -> None:
    words = (PUB, "-p", str(port), "-t", topic, "-s", "-q", "1", *more)
    subprocess.run(words, input=payload, check=True)


class Box:
    """A simulated box with its daemon, and a bridge that can be killed and started."""

    def __init__(self, folder: Path, name: str, broker: int, stack: ExitStack) -> None:
        self.name, self._home, self._stack = name.lower(), folder / name, stack
        self._home.mkdir()
        (self._home / "settings.toml").write_text(
            'players = ["Ann", "Ben"]\nhouse_players = ["Ann", "Ben"]\n[pace]\nhouse_thinks_s = 0.2\n'
            f'[bridge]\nhost = "127.0.0.1"\nport = {broker}\nname = "{name}"\nallow = ["start", "pause"]\n'
        )
        stack.enter_context(self._program("run", "--mock"))
        until(lambda: find_socket(Home(self._home, self._home, fixed=True)).exists(), "no daemon")
        self.start()

    def start(self) -> None:
        self.bridge = self._stack.enter_context(self._program("bridge"))

    def state(self) -> Snapshot:
        async def ask() -> Snapshot:
            async with Client(find_socket(Home(self._home, self._home, fixed=True))) as client:
                return await client.state()

        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            return runner.run(ask())

    def _program(self, *words: str) -> Any:
        return running([*PROGRAM, *words], self._home / f"{words[0]}.log", SHUTBOX_HOME=str(self._home))


def test_a_box_in_home_assistant_from_its_first_word_to_its_last(tmp_path: Path) -> None:
    port = free_port()
    names = [
        each["name"] for each in discovery_of(Topics("", "", "x"), "", "", "", ("start", "pause"))["cmps"].values()
    ]
    wanted = {name.lower().replace(" ", "_") for name in names}
    with ExitStack() as stack:
        broker = stack.enter_context(ExitStack())
        broker.enter_context(open_broker(tmp_path, port))
        assistant = stack.enter_context(Assistant(tmp_path, port))
        box = Box(tmp_path, "Parlour", port, stack)

        def are(*, unavailable: bool) -> bool:
            states = assistant.states(box.name)
            return set(states) == wanted and all((state == "unavailable") is unavailable for state in states.values())

        until(lambda: are(unavailable=False), "not every entity appears")
        told = assistant.states(box.name)
        # A button that nobody has pressed and an event that has not happened yet have no state; all else has.
        without = {"start_a_game", "pause", "what_happens"}
        assert {name for name, state in told.items() if state == "unknown"} <= without, told

        assistant.press(box.name, "start_a_game")
        until(lambda: assistant.states(box.name)["turn"] in ("Ann", "Ben"), "no turn is told")
        until(lambda: assistant.states(box.name)["what_happens"] != "unknown", "no event is told")
        assistant.press(box.name, "pause")
        until(lambda: assistant.states(box.name)["phase"] == "parked", "no pause is told")
        assert box.state().phase == "parked"

        attic = Box(tmp_path, "Attic", port, stack)
        until(lambda: assistant.states(attic.name).get("phase") == "idle", "the second box does not appear")
        assert set(assistant.states(attic.name)) == wanted
        assert assistant.states(box.name)["phase"] == "parked"

        box.bridge.send_signal(signal.SIGKILL)
        until(lambda: are(unavailable=True), "not all are unavailable", KEEPALIVE_S * 1.5 + 5)
        assert "unavailable" not in assistant.states(attic.name).values()
        box.start()
        until(lambda: are(unavailable=False), "not all are available again")

        for payload in (b"x" * 200_000, b"\xff", b"abandon"):
            for topic in (f"shutbox/{attic.name}/set", "shutbox/cellar/state", "homeassistant/status"):
                say(port, topic, payload)
        say(port, f"shutbox/{attic.name}/set", b"start", "-r")
        say(port, f"shutbox/{attic.name}/state", b"{}", "-r")
        assistant.press(attic.name, "start_a_game")
        until(lambda: assistant.states(attic.name)["phase"] not in ("idle", "unknown"), "a lie stands")

        assistant.stop()
        assistant.start()
        until(lambda: are(unavailable=False), "not all are there after a restart of Home Assistant")

        before = attic.state()
        broker.close()
        until(lambda: attic.state().event > before.event, "the game waits for a broker")
        broker.enter_context(open_broker(tmp_path, port))
        until(lambda: are(unavailable=False), "not all are there after a restart of the broker")
        assert attic.state().game_id == before.game_id

        box.bridge.send_signal(signal.SIGTERM)
        until(lambda: are(unavailable=True), "not all are unavailable after a stop", 10)


@pytest.fixture(autouse=True)
def _tell_time(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Say how long it took."""
    began_s = time.monotonic()
    yield
    with capsys.disabled():
        print(f" in {time.monotonic() - began_s:.0f} s")
