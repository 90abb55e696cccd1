"""The machine that this runs on."""

from pathlib import Path

from controller.errors import NoBox

_MODEL = Path("/proc/device-tree/model")


def require_pi(instead: str = "--mock for the simulated box") -> None:
    """Raise `NoBox` off a Raspberry Pi, and say what can be said `instead`."""
    if not _MODEL.exists() or "Raspberry Pi" not in _MODEL.read_text("utf-8", "replace"):
        raise NoBox(f"this machine is no Raspberry Pi; say {instead}")
