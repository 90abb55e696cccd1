"""The daemon as a process of its own: ready, killed in the middle of a move, started again, stopped in order."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from controller.access.access import open_access
from controller.box.choose import choose_box
from controller.cli.daemon import describe_doing, run_daemon
from controller.game.core.commands import StartGame
from controller.game.core.phases import PhaseName
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.runtime.home import Home
from controller.service.restarts import RunCounts, read_runs
from controller.settings import Settings
from controller.web.access_client import reach_access
from controller.web.client import Client
from tests.support.long import long_but_every

PATIENCE_S = 30.0
LONGEST = 512  # bytes of a notice to systemd


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@contextmanager
def systemd(home: Path) -> Iterator[socket.socket]:
    """The socket on which a daemon tells its states."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(home / "notify"))
        listener.settimeout(PATIENCE_S)
        yield listener


def started(home: Path, listener: socket.socket, *words: str) -> subprocess.Popen[bytes]:
    env = os.environ | {
        "SHUTBOX_HOME": str(home),
        "NOTIFY_SOCKET": str(home / "notify"),
        "WATCHDOG_USEC": "600000000",
    }
    command = [str(Path(sys.executable).parent / "shutbox"), "run", "--mock", "--seed", "1", *words]
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        if b"WATCHDOG=1" not in hear_until(listener, b"READY=1"):
            hear_until(listener, b"WATCHDOG=1")
    except TimeoutError as error:
        status = process.poll()
        process.kill()
        process.wait(PATIENCE_S)
        raise AssertionError(f"the daemon is not ready (exit status {status})") from error
    return process


def hear_until(listener: socket.socket, last: bytes) -> list[bytes]:
    """What systemd is told up to this."""
    heard = [listener.recv(LONGEST)]
    while heard[-1] != last:
        heard.append(listener.recv(LONGEST))
    return heard


async def until(client: Client, phase: PhaseName) -> Snapshot:
    async with asyncio.timeout(PATIENCE_S), client.snapshots() as snapshots:
        async for snapshot in snapshots:
            if snapshot.phase == phase:
                return snapshot
    raise AssertionError(f"the daemon ended before {phase}")


async def play_until_tiles_move(socket_path: Path) -> Snapshot:
    async with Client(socket_path) as client:
        await client.send(StartGame((Player("Ann"),)))
        await until(client, "awaiting_throw")
        await client.send(TakeThrow((5, 3)))
        return await client.send(Choose(("front-8",)))


async def found_again(socket_path: Path) -> Snapshot:
    async with Client(socket_path) as client:
        return await until(client, "awaiting_throw")


def test_a_daemon_killed_in_the_middle_of_a_move_goes_on_with_the_same_game(home: Path) -> None:
    with systemd(home) as listener:
        first = started(home, listener)
        moving = asyncio.run(play_until_tiles_move(home / "shutbox.sock"))
        first.kill()
        first.wait(PATIENCE_S)
        assert moving.phase == "moving"

        second = started(home, listener)
        resumed = asyncio.run(found_again(home / "shutbox.sock"))
        assert resumed.board == moving.board == "1 2 3 4 5 6 7 . 9/9 8 7 6 5 4 3 2 1"
        assert resumed.players == ("Ann",)

        second.send_signal(signal.SIGTERM)
        assert second.wait(PATIENCE_S) == 0
        told = [state.decode() for state in hear_until(listener, b"STOPPING=1")]
        assert any(state.startswith("STATUS=The box sets its tiles: hands off.") for state in told)
        assert any(state.startswith("STATUS=Ann: throw two dice.") for state in told)
        assert not (home / "shutbox.sock").exists()
        assert read_runs(home / "runs.json") == RunCounts(killed=1, ended=1)


@pytest.mark.long
def test_a_second_daemon_on_the_same_home_is_refused_in_one_line(home: Path) -> None:
    with systemd(home) as listener:
        first = started(home, listener)
        command = [str(Path(sys.executable).parent / "shutbox"), "run", "--mock"]
        second = subprocess.run(
            command,
            env=os.environ | {"SHUTBOX_HOME": str(home)},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        first.send_signal(signal.SIGINT)
        assert first.wait(PATIENCE_S) == 0

    assert second.returncode == 2
    assert second.stderr.splitlines()[-1].startswith("shutbox: a daemon has this box already")


async def let_in(home: Home) -> str:
    """A daemon of this process, in which a PIN is set and a device is paired; the device's token."""
    box = choose_box("two-level-9", Settings(), home, mock=True, faults=(), seed=1)
    async with run_daemon(box, home, Settings()) as referee, reach_access(home) as desk:
        await desk.set_pin("402817")
        http = httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(uds=str(home.socket), verify=False), base_url="http://box"
        )
        async with http:
            begun = (await http.post("/api/access/pairings", json={"name": "Ann's phone"})).json()
        assert f"Ann's phone wants to be an operator's device and shows {begun['pairing']['number']}" in (
            referee.snapshot.notice
        )
        await desk.confirm_pairing(begun["pairing"]["number"])
        assert referee.snapshot.notice.endswith("Ann's phone is an operator's device now.")
        return str(begun["token"])


def test_who_may_do_what_outlasts_the_daemon_and_a_damaged_file_stops_none(home: Path) -> None:
    box = Home(home, home, fixed=True)
    token = asyncio.run(let_in(box))
    with open_access(box.access) as kept:
        device = kept.device_of(token)
        assert device is not None
        assert device.name == "Ann's phone"
    box.access.write_text("{")
    asyncio.run(let_in(box))


@pytest.mark.long
def test_a_seat_that_brings_its_own_daemon_plays_leaves_and_leaves_nothing_running(home: Path) -> None:
    command = [str(Path(sys.executable).parent / "shutbox"), "play", "--mock", "--seed", "1", "--players", "Ann"]
    seat = subprocess.Popen(
        command,
        env=os.environ | {"SHUTBOX_HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert seat.stdin is not None
    assert seat.stdout is not None
    seen = []
    for line in seat.stdout:
        seen.append(line)
        if line.startswith("Ann: throw"):
            break
    seat.send_signal(signal.SIGINT)
    rest = seat.stdout.read()

    assert seat.wait(PATIENCE_S) == 0
    assert "Ann: throw two dice." in seen[-1]
    assert "The box is parked" in rest
    assert not (home / "shutbox.sock").exists()
    seat.stdin.close()
    seat.stdout.close()


@pytest.mark.parametrize(
    ("phase", "words"),
    [("choosing", "Ann chooses tiles."), ("halted", "Halted: Ann chooses tiles.")],
)
def test_what_waits_for_help_says_so_first(phase: PhaseName, words: str) -> None:
    assert describe_doing(Snapshot(number=1, box="two-level-9", say="Ann chooses tiles.", phase=phase)) == words


@pytest.mark.parametrize("box", long_but_every(3, ["real", "simulated", "remote_simulated"]))
def test_a_daemon_at_rest_loads_nothing_that_only_a_game_needs(box: str) -> None:
    pictures = {"numpy", "vision.reader.reader", "vision.custom_dice.faces"}
    others = {"simulated": {"firmware.pi"}, "remote_simulated": pictures, "real": pictures | {"vision.sim"}}[box]
    opened = f"controller.box.{box}, controller.box.choose, controller.cli.run, controller.web.app"
    question = f"import sys, {opened}; print(sorted({others | {'cv2', 'jinja2', 'rich'}} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-P", "-c", question], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


async def test_a_box_tells_that_its_games_are_in_memory(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.journal.recovery.memory_behind", lambda _folder: "tmpfs at /var/lib")
    settings, place = Settings(), Home(home, home)
    chosen = choose_box(settings.box, settings, place, mock=True, faults=(), seed=1)
    async with run_daemon(chosen, place, settings) as referee:
        told = [message.key for message in referee.snapshot.messages]
    assert "journal.in_memory" in told
