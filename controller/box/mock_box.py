"""Serve the mock-box, a simulated box in a process of its own."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from controller.box.faults import apply_faults
from controller.process.locks import lock_socket, lock_tiles
from controller.process.signals import interrupt_on_signal
from controller.process.systemd import notify
from controller.settings import Home
from firmware.sim.computer import SimulatedComputer, computer_handlers
from firmware.sim.i2c import chips_on
from firmware.sim.remote import bus_handlers
from hardware.box import Box
from hardware.sim.remote.handlers import box_handlers
from hardware.sim.remote.recorder import RecordingWorld
from hardware.sim.remote.server import open_server

# Pictures are rendered in parallel with bus traffic, which Python's default switch interval of 5 ms would slow down.
_SWITCH_S = 0.0005


def serve_mock_box(box: Box, home: Home, *, seed: int, faults: Sequence[str], announce: Callable[[str], None]) -> None:
    """Serve a simulated box in real time until SIGINT or SIGTERM; `announce` is called once it is served.

    Raises `BadFault`, `BoxError`, `NoBox` if another process has its tiles, `DaemonRuns` if another mock-box runs.
    """
    # Imported here because a daemon that joins a mock-box renders no pictures.
    from vision.sim.camera import SimulatedCamera
    from vision.sim.remote import camera_handlers

    home.make()
    store = home.simulated_tiles(box.name)
    with lock_tiles(store), lock_socket(home.mock_box_socket, "a mock-box"):
        world = RecordingWorld(box, time.monotonic, seed, store)
        apply_faults(world, faults)
        sys.setswitchinterval(_SWITCH_S)
        interrupt_on_signal()
        handlers = {**box_handlers(world), **computer_handlers(SimulatedComputer(world))}
        # Pictures and a hanging bus take long, and /OE must not wait for either.
        wires = chips_on(world, threading.Event().wait)
        slow = {**camera_handlers(SimulatedCamera(world, world.box)), **bus_handlers(wires)}
        with suppress(KeyboardInterrupt), open_server(home.mock_box_socket, handlers, slow) as server:
            announce(f"{world.box.name}, seed {world.seed}, is at {home.mock_box_socket}; Ctrl-C ends it")
            notify("READY=1")
            server.serve_forever()
        # Asking for a position brings the world up to date and stores where the tiles are.
        world.position(world.box.tile_ids[0])
