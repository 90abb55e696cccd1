"""Two simulated boxes and a broker, each in processes of its own: in three network namespaces, or on one computer."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from controller.runtime.home import Home
from controller.runtime.machine import open_port
from controller.web.network import find_socket

_PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/sbin"
MOSQUITTO, IP = (shutil.which(name, path=_PATH) or "" for name in ("mosquitto", "ip"))
PROGRAM = (sys.executable, "-P", "-c", "from controller.cli.main import main; main()")
_PACE = "[pace]\nwatch_every_s = 0.1\n"
_BROKER_PORT = 1883


@dataclass
class Network:
    """Three namespaces: one for each box, and one for the broker between them. names: of the boxes' own."""

    names: tuple[str, str]
    hub: str

    def cut(self, box: int, *, up: bool) -> None:
        """Take the line of a box down, or up again."""
        _ip("-n", self.hub, "link", "set", f"to{box}", "up" if up else "down")
        if up:
            # An address goes with its line.
            _ip("-n", self.hub, "addr", "replace", f"10.77.{box}.1/24", "dev", f"to{box}")


def _ip(*words: str) -> None:
    subprocess.run([IP, *words], check=True, capture_output=True, text=True)


def why_no_namespaces() -> str:
    """Return why no network namespaces can be made here; empty if they can."""
    if not IP:
        return "no `ip` here"
    name = f"shutbox-{os.getpid()}-try"
    made = subprocess.run([IP, "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode:
        return f"no network namespace can be made: {made.stderr.strip()}"
    subprocess.run([IP, "netns", "del", name], check=False, capture_output=True)
    return ""


@contextmanager
def open_network() -> Iterator[Network]:
    """Make the namespaces and their lines, and remove them at the end."""
    number = os.getpid()
    hub, *boxes = (f"shutbox-{number}-{part}" for part in ("hub", "0", "1"))
    with ExitStack() as stack:
        for name in (hub, *boxes):
            _ip("netns", "add", name)
            stack.callback(subprocess.run, [IP, "netns", "del", name], check=False, capture_output=True)
            _ip("-n", name, "link", "set", "lo", "up")
        for box, name in enumerate(boxes):
            _ip("link", "add", f"to{box}", "netns", hub, "type", "veth", "peer", "name", "eth0", "netns", name)
            for place, line, end in ((hub, f"to{box}", 1), (name, "eth0", 2)):
                _ip("-n", place, "addr", "add", f"10.77.{box}.{end}/24", "dev", line)
                _ip("-n", place, "link", "set", line, "up")
        yield Network((boxes[0], boxes[1]), hub)


@dataclass
class Process:
    """A process that is started again and again. lines: what it printed, over all its lives."""

    words: Sequence[str]
    log: Path
    environment: dict[str, str] = field(default_factory=dict)
    now: "subprocess.Popen[bytes] | None" = None
    starts: int = 0

    def start(self) -> None:
        self.starts += 1
        with self.log.open("ab") as log:
            self.now = subprocess.Popen(self.words, env=os.environ | self.environment, stdout=log, stderr=log)

    def kill(self, number: int = signal.SIGKILL) -> None:
        if self.now is not None:
            self.now.send_signal(number)
            self.now.wait()

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return None if self.now is None else self.now.poll()


@dataclass
class BoxUnderTest:
    """A simulated box. wood: its tiles, which outlive its daemon. match: the process that plays with the other box."""

    number: int
    home: Path
    player: str
    wood: Process
    daemon: Process
    match: Process

    @property
    def socket(self) -> Path:
        return find_socket(Home(self.home, self.home, fixed=True))

    def end_match(self) -> None:
        self.match.kill()

    def tiles(self) -> dict[str, str]:
        """Return where the tiles of the wood are, whatever any sensor says."""
        found = subprocess.run(
            [*PROGRAM, "mock-box", "look", "--json"],
            env=os.environ | self.wood.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        tiles: dict[str, str] = json.loads(found.stdout)["tiles"]
        return tiles


@dataclass
class Arena:
    """All of it. network: None on one computer."""

    boxes: tuple[BoxUnderTest, BoxUnderTest]
    broker: Process
    network: Network | None

    def begin_match(self, name: str, options: Sequence[str]) -> None:
        """Have both boxes play a match of this name."""
        players = ",".join(box.player for box in self.boxes)
        for box in self.boxes:
            words = [*PROGRAM, "together", name, "--players", players, "--here", box.player, *options]
            box.match = Process(
                [*_inside(self.network, box.number), *words], box.home / "together.log", box.daemon.environment
            )
            box.match.start()


def _inside(network: Network | None, box: int | None) -> list[str]:
    if network is None:
        return []
    return [IP, "netns", "exec", network.hub if box is None else network.names[box]]


@contextmanager
def open_arena(folder: Path, network: Network | None, box: str = "classic-9") -> Iterator[Arena]:
    """Start the broker and both boxes, and kill all of them at the end."""
    port = _BROKER_PORT
    if network is None:
        with open_port("127.0.0.1", 0) as free:
            port = int(free.getsockname()[1])
    conf = folder / "mosquitto.conf"
    user = ("user root",) if os.getuid() == 0 else ()
    conf.write_text("\n".join((f"listener {port} 0.0.0.0", "allow_anonymous true", *user, "")))
    broker = Process([*_inside(network, None), MOSQUITTO, "-c", str(conf)], folder / "broker.log")
    boxes = []
    for number, player in enumerate(("Ann", "Bea")):
        home = folder / f"box{number}"
        home.mkdir()
        host = "127.0.0.1" if network is None else f"10.77.{number}.1"
        told = f'[bridge]\nhost = "{host}"\nport = {port}\nname = "box{number}"\n'
        (home / "settings.toml").write_text(f'box = "{box}"\n{_PACE}{told}')
        environment = {"SHUTBOX_HOME": str(home), "OMP_NUM_THREADS": "1"}
        inside = _inside(network, number)
        wood = Process([*PROGRAM, "mock-box", "--box", box], home / "wood.log", environment)
        daemon = Process([*inside, *PROGRAM, "run", "--mock-box"], home / "daemon.log", environment)
        boxes.append(BoxUnderTest(number, home, player, wood, daemon, Process((), home / "none.log")))
    arena = Arena((boxes[0], boxes[1]), broker, network)
    with ExitStack() as stack:
        broker.start()
        stack.callback(broker.kill)
        for each in boxes:
            each.wood.start()
            stack.callback(each.wood.kill)
        for each in boxes:
            _wait_for_wood(each)
            each.daemon.start()
            stack.callback(each.daemon.kill)
            stack.callback(BoxUnderTest.end_match, each)
        yield arena


def _wait_for_wood(box: BoxUnderTest) -> None:
    for _ in range(40):
        found = subprocess.run(
            [*PROGRAM, "mock-box", "look"], env=os.environ | box.wood.environment, capture_output=True, check=False
        )
        if not found.returncode:
            return
    raise TimeoutError(f"no simulated box: {box.wood.log.read_text()[-300:]}")


async def until_quiet(box: BoxUnderTest) -> None:
    """Wait until the daemon of a box listens. Raises `TimeoutError` after a minute."""
    for _ in range(1200):
        if box.socket.exists():
            return
        await asyncio.sleep(0.05)
    raise TimeoutError(f"no daemon: {box.daemon.log.read_text()[-300:]}")
