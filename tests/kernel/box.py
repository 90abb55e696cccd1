"""The box of the lane's tests, in a process of its own: its bus is /dev/i2c-1, its header and hands are on a socket."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from firmware.sim.i2c import chips_on
from firmware.sim.pins import open_pin_factory
from firmware.sim.remote import RemoteHeader
from firmware.wire import PinFactory
from hardware.box import load_box
from hardware.sim.link import Words
from hardware.sim.recorder import RecordingWorld
from hardware.sim.server import Answer, Handler, Session, box_handlers, open_server
from tests.kernel.cuse import serve_device
from tests.kernel.i2c_device import I2CDevice
from tests.support.true_box import fail_at_once

BOX = "two-level-9"
DEVICE = Path("/dev/i2c-1")
SEED = 1


def main(place: Path, is_there: Connection) -> None:
    """Serve the box at `place` and its bus as a device, until this process ends."""
    world = RecordingWorld(load_box(BOX), time.monotonic, SEED)
    with open_server(place, {**box_handlers(world), **reset_handlers(world)}, {}) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        serve_device(DEVICE.name, I2CDevice(chips_on(world, fail_at_once)), lambda: is_there.send(True))


@contextmanager
def open_header(place: Path) -> Iterator[Callable[[], PinFactory]]:
    """How the program opens the header of this box."""
    with RemoteHeader(place) as header:
        yield lambda: open_pin_factory(header)


def reset_handlers(world: RecordingWorld) -> Mapping[str, Handler]:
    """What the kernel's own devices need besides."""

    def reset(_session: Session, words: Words, _data: bytes) -> Answer:
        """A dip of its supply: the chip loses its registers once."""
        world.forget(int(words["address"]))
        return {}, b""

    return {"reset": reset}
