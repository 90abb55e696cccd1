"""The simulated world served to other processes: what crosses a wire, over a socket."""

from hardware.sim.remote.handlers import box_handlers
from hardware.sim.remote.protocol import BoxLost, Link, Words
from hardware.sim.remote.recorder import RecordedWorld
from hardware.sim.remote.server import Answer, Handler, Session, open_server

__all__ = ["Answer", "BoxLost", "Handler", "Link", "RecordedWorld", "Session", "Words", "box_handlers", "open_server"]
