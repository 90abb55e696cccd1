"""The bridge: what it tells, to whom, and that nobody at the table waits for it."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from controller.cli.bridge.bridge import Table, tell_until_stopped
from controller.cli.bridge.entities import Topics, discovery_of, id_of
from controller.cli.bridge.facts import EVENT_TYPES, changes, row_event, state_of
from controller.cli.bridge.outbox import MOST_WAITING, Outbox
from controller.errors import NoBridge, SettingsError
from controller.game.core.commands import GoOn, Park, StartGame
from controller.game.core.players import Player
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.runtime.threads import run_in_background
from controller.settings import Bridge, Settings, load_settings
from controller.web.api.examples import example_state
from controller.web.client import Client
from hardware.errors import Fault
from tests.support.first_moves import play_first_moves
from tests.support.served_box import open_served_box

TOPICS = Topics("shutbox", "homeassistant", "parlour")
GAME = StartGame((Player("Ann"), Player("Ben")), "pub", {"first": "chosen"})
FAULT = Fault("H-301", "front-7", "SHUT", "OPEN", "Free the tile.")
PATIENCE_S = 600.0


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, fixed=True)


def kinds(before: Snapshot | None, now: Snapshot) -> list[str]:
    return [event["event_type"] for event in changes(before, now)]


def test_the_state_is_plain_and_complete() -> None:
    state = state_of(example_state())
    assert json.loads(json.dumps(state)) == state
    assert (state["on"], state["turn"], state["throw"], state["total"]) == (True, "Ann", [3, 5], 8)
    assert state["help"] is False
    halted = state_of(replace(example_state(), phase="halted", fault=FAULT))
    assert halted["help"] is True
    assert halted["fault"] == {"code": "H-301", "part": "front-7", "cure": "Free the tile."}


def test_what_happens_to_a_game_is_told_once() -> None:
    on = example_state()
    idle = replace(on, game_id=on.game_id - 1, phase="idle")
    ended = replace(on, phase="ended", winners=("Ann",), scores={"Ann": 3, "Bob": 9})
    parked = replace(on, phase="parked")
    halted = replace(on, phase="halted", fault=FAULT)
    assert kinds(None, on) == []
    assert kinds(on, on) == []
    assert kinds(idle, on) == ["game_started"]
    assert kinds(on, ended) == ["game_ended"]
    assert kinds(ended, ended) == []
    assert kinds(on, parked) == ["game_paused"]
    assert kinds(parked, on) == ["game_resumed"]
    assert kinds(on, halted) == ["fault"]
    assert kinds(halted, on) == ["fault_over"]
    assert next(changes(on, ended))["scores"] == {"Ann": 3, "Bob": 9}
    assert {kind for before in (idle, on, ended, parked, halted) for kind in kinds(before, on)} <= set(EVENT_TYPES)


def test_a_row_of_the_history_is_an_event() -> None:
    row = {"table": "throws", "game": 4, "event": 7, "player": "Ann", "dice": [5, 3]}
    assert row_event(row) == {"event_type": "throw", "game_id": 4, "event": 7, "player": "Ann", "dice": [5, 3]}
    assert row_event({"table": "games", "game": 4}) is None


def test_a_box_is_one_device_with_entities_of_its_own() -> None:
    told = discovery_of(TOPICS, "Shut the Box, Parlour", "two-level-9", "1.0", ())
    other = discovery_of(replace(TOPICS, id="attic"), "Attic", "two-level-9", "1.0", ("start", "pause"))
    ids = [entity["unique_id"] for each in (told, other) for entity in each["cmps"].values()]
    assert len(set(ids)) == len(ids)
    assert set(other["cmps"]) - set(told["cmps"]) == {"start", "pause"}
    assert told["availability_topic"] == "shutbox/parlour/available"
    assert {entity["p"] for entity in other["cmps"].values()} == {"sensor", "binary_sensor", "event", "button"}


@pytest.mark.parametrize(("name", "found"), [("Parlour", "parlour"), ("Ann's box!", "ann_s_box"), ("箱", "box")])
def test_a_name_makes_an_id(name: str, found: str) -> None:
    assert id_of(name) == found


async def test_of_events_that_nobody_takes_the_last_ones_are_kept() -> None:
    outbox = Outbox()
    for number in range(MOST_WAITING + 5):
        outbox.add({"event": number})
    assert [event["event"] for event in outbox.events] == list(range(5, MOST_WAITING + 5))
    assert outbox.dropped == 5


@pytest.mark.parametrize(
    "line",
    [
        'host = "a b"',
        'prefix = "a#"',
        'discovery = "+"',
        'allow = ["abandon"]',
        'webhooks = ["ftp://x"]',
        "port = 0",
        'password = "x"',
    ],
)
def test_settings_that_cannot_be_are_refused_in_a_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f"[bridge]\n{line}\n")
    with pytest.raises(SettingsError):
        load_settings(file)


async def test_a_password_that_cannot_be_read_is_told_at_once(home: Home) -> None:
    told = Settings(bridge=Bridge(host="127.0.0.1", password_file=str(home.data / "none")))
    with pytest.raises(NoBridge, match="none: No such file"):
        await tell_until_stopped(home, told)


@dataclass
class Hook:
    """A place on the web that takes what is posted."""

    url: str
    status: int = 200
    taken: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def open_hook() -> Iterator[Hook]:
    hook = Hook("")

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            hook.taken.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(hook.status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Taker) as server:
        hook.url = f"http://127.0.0.1:{server.server_port}/hook?key=secret-word"
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield hook
        finally:
            server.shutdown()
            thread.join()


async def play(home: Home) -> Snapshot:
    async with asyncio.timeout(PATIENCE_S), Client(home.socket) as client:
        await client.send(GAME)
        await client.send(Park())
        await client.send(GoOn())
        return await play_first_moves(client, lambda snapshot: snapshot.phase == "ended")


async def test_every_event_of_a_game_is_told_once_and_in_order(home: Home) -> None:
    outbox, told = Outbox(), list[dict[str, Any]]()

    async def listen() -> None:
        while True:
            await outbox.news()
            told.extend(outbox.events)
            outbox.events.clear()

    async with open_served_box(home) as box, run_in_background(Table(home, outbox, []).follow(), listen()):
        await asyncio.sleep(2)
        rows = []
        for _ in range(2):
            ended = await play(home)
            await asyncio.sleep(5)
            rows += (await box.terminal.ask("GET", f"/api/history/{ended.game_id}")).json()["rows"]
    assert told[0]["event_type"] == "game_started"
    assert told[-1]["event_type"] == "game_ended"
    of_rows = [event for event in told if event["event_type"] in ("throw", "choice", "score")]
    assert [(event["game_id"], event["event"]) for event in of_rows] == [(row["game"], row["event"]) for row in rows]
    assert {"game_paused", "game_resumed"} <= {event["event_type"] for event in told}
    assert outbox.state is not None
    assert outbox.state["phase"] == "ended"


def test_without_a_bridge_nothing_of_it_is_loaded() -> None:
    question = (
        "import sys, controller.cli.run, controller.cli.daemon, controller.cli.main; "
        "print([m for m in sys.modules if m.startswith(('controller.cli.bridge', 'aiomqtt', 'paho'))])"
    )
    answer = subprocess.run([sys.executable, "-P", "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_a_webhook_is_no_secret_of_the_log(home: Home) -> None:
    with open_hook() as hook:
        home.make()
        home.settings.write_text(f'[bridge]\nwebhooks = ["{hook.url}"]\n')
        script = (
            "import asyncio\n"
            "from controller.cli.bridge.bridge import quiet_log\n"
            "from controller.cli.bridge.webhooks import Webhook\n"
            "from controller.runtime.log import start_log\n"
            "start_log()\n"
            "quiet_log()\n"
            "async def post():\n"
            f"    hook = Webhook({hook.url!r})\n"
            "    for number in range(2): hook.add({'event': number})\n"
            "    hook.add({'event': 'refused'})\n"
            "    task = asyncio.ensure_future(hook.run())\n"
            "    await asyncio.wait([task], timeout=1)\n"
            "asyncio.run(post())\n"
        )
        answer = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
        assert [event["event"] for event in hook.taken] == [0, 1, "refused"]
    assert "secret-word" not in answer.stderr + answer.stdout
