"""The box of the lane's tests, in a process of its own: its bus is /dev/i2c-1, its header and hands are on a socket.

`python -m tests.kernel.box SOCKET`, inside the guest. It says READY in a line when both are there, and ends with
SIGTERM, its device with it.
"""

import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from firmware.sim.i2c import chips_on
from hardware.box import load_box
from hardware.sim.link import Words
from hardware.sim.recorder import RecordingWorld
from hardware.sim.server import Answer, Handler, Session, box_handlers, open_server
from tests.kernel.cuse import serve_device
from tests.kernel.i2c_device import I2CDevice
from tests.support.true_box import fail_at_once

BOX = "two-level-9"
DEVICE = Path("/dev/i2c-1")
READY = "The box is there."
_SEED = 1


def main(place: Path) -> None:
    """Serve the box at `place` and its bus as a device."""
    world = RecordingWorld(load_box(BOX), time.monotonic, _SEED)
    with open_server(place, {**box_handlers(world), **_reset_handlers(world)}, {}) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        serve_device(DEVICE.name, I2CDevice(chips_on(world, fail_at_once)), lambda: print(READY, flush=True))


def _reset_handlers(world: RecordingWorld) -> Mapping[str, Handler]:
    def reset(_session: Session, words: Words, _data: bytes) -> Answer:
        """A dip of its supply: the chip loses its registers once."""
        world.forget(int(words["address"]))
        return {}, b""

    return {"reset": reset}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
