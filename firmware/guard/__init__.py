"""The servos' /OE line, and the process that owns it: no pulse unless a daemon lives."""

from firmware.guard.client import join_guard
from firmware.guard.line import Guard, PulseGuard
from firmware.guard.server import GuardServer, listening

__all__ = ["Guard", "GuardServer", "PulseGuard", "join_guard", "listening"]
