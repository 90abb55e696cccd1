"""A daemon in a process of its own, with the eyes of a real box: for what cannot be played in a thread of the tests."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.runtime.home import Home
from controller.runtime.machine import open_port
from hardware.box import load_box
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.controller.cli.test_daemon import PATIENCE_S, started, systemd
from tests.support.homes import files_of_journal, go_back_to

if TYPE_CHECKING:
    import socket
    import subprocess

_PROFILE = "two-level-9"
_START_S = 90.0  # beside browsers that start at the same time
_SETTINGS = """
[web]
on = true
address = "127.0.0.1"
port = {port}
[pace]
house_thinks_s = 0
watch_every_s = 0.1
hand_countdown_s = 0.3
"""


class BoxProcess:
    """A simulated box on one home and at one address, whose daemon can be killed and started again."""

    def __init__(self, home: Home, port: int, listener: "socket.socket", words: Sequence[str] = ()) -> None:
        """words: options of its daemon."""
        self._home, self._port, self._listener, self._words = home, port, listener, words
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the box, as people type it."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def snapshot(self) -> Snapshot:
        """The table as it stands."""
        return SNAPSHOT.validate_python(self.ask("GET", "/api/state"))

    def code(self) -> str:
        """The code by which players join the game."""
        return str(self.ask("GET", "/api/access/code")["typed"])

    def confirm(self, number: str) -> None:
        """Say yes, at the box, to the phone that shows this number."""
        self.ask("POST", "/api/access/pairings/confirmed", json={"number": number})

    def do(self, command: str, **words: Any) -> None:
        """Have something done at the box's own terminal."""
        self.ask("POST", "/api/commands", json={"do": command, **words})

    def ask(self, method: str, path: str, **sent: Any) -> Any:
        """Ask the API as the box's own terminal does. Raises `httpx.HTTPStatusError` for a refusal."""
        at_socket = httpx.HTTPTransport(uds=str(self._home.socket))
        with httpx.Client(transport=at_socket, base_url="http://box", timeout=PATIENCE_S) as terminal:
            return terminal.request(method, path, **sent).raise_for_status().json()

    def start(self) -> None:
        """Start the daemon, and wait until it says that it is ready."""
        self._process = started(self._home.data, self._listener, *self._words)

    def kill(self) -> None:
        """End it as a cut of the power does: it is told nothing and puts nothing in order."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE_S)

    def kept(self) -> Mapping[Path, bytes]:
        """The games as the memory card has them, while the daemon is gone."""
        return files_of_journal(self._home.data)

    def go_back_to(self, kept: Mapping[Path, bytes]) -> None:
        """Have the memory card hold what it held then."""
        go_back_to(self._home.data, kept)

    def tip(self, tile: str, to: Position) -> None:
        """Tip a tile while the daemon is gone: the wood keeps its place."""
        world = World(load_box(_PROFILE), time.monotonic, 1, self._home.simulated_tiles(_PROFILE))
        world.hand_moves(TileId.parse(tile), to)


@contextmanager
def run_box(folder: Path, *words: str, settings: str = "") -> Iterator[BoxProcess]:
    """A box that runs as long as the block lasts, however often its daemon is killed meanwhile.

    words: options of its daemon. settings: lines before those that every box here has.
    """
    with open_port("127.0.0.1", 0) as free:
        port = int(free.getsockname()[1])
    home = Home(folder, folder)
    home.settings.write_text(settings + _SETTINGS.format(port=port), "utf-8")
    with systemd(folder) as listener:
        listener.settimeout(_START_S)
        box = BoxProcess(home, port, listener, words)
        box.start()
        try:
            yield box
        finally:
            box.kill()
