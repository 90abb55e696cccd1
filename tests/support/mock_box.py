"""A mock-box in this process, on a clock that a test moves by hand; its socket is real."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hardware.box import load_box
from hardware.sim.link import Link
from hardware.sim.server import Handler, box_handlers, open_server
from tests.support.hand_clock import HandClock
from tests.support.watched_world import WatchedWorld, instruments


@dataclass(frozen=True)
class Served:
    """The world and where it is served."""

    world: WatchedWorld
    clock: HandClock
    place: Path

    def link(self) -> Link:
        return Link(self.place)


def until(is_so: Callable[[], bool]) -> None:
    """The server sees the end of a connection a moment later."""
    give_up_s = time.monotonic() + 5.0
    while not is_so():
        assert time.monotonic() < give_up_s


def no_handlers(_world: WatchedWorld) -> Mapping[str, Handler]:
    """What the other rooms bring; here nothing."""
    return {}


@contextmanager
def mock_box(
    handlers: Callable[[WatchedWorld], Mapping[str, Handler]] = no_handlers,
    concurrent: Callable[[WatchedWorld], Mapping[str, Handler]] = no_handlers,
    at: Path | None = None,
) -> Iterator[Served]:
    """A served box; the handlers of the other rooms are given."""
    clock = HandClock()
    world = WatchedWorld(load_box("two-level-9"), clock, 1)
    # A socket's path is short: a test's own folder may not be.
    with TemporaryDirectory() as folder:
        place = at or Path(folder) / "box.sock"
        with open_server(
            place, {**box_handlers(world), **instruments(world), **handlers(world)}, concurrent(world)
        ) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                yield Served(world, clock, place)
            finally:
                server.shutdown()
                thread.join()
