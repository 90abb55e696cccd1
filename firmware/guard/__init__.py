"""The servos' /OE line, and the process that owns it: no pulses without a live daemon."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from firmware.guard.alarm import ThreadAlarm
    from firmware.guard.client import join_guard
    from firmware.guard.in_process import InProcessGuard
    from firmware.guard.line import OutputEnableLine, PulseGuard
    from firmware.guard.server import GuardServer, open_listener
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "GuardServer",
    "InProcessGuard",
    "OutputEnableLine",
    "PulseGuard",
    "ThreadAlarm",
    "join_guard",
    "open_listener",
]
