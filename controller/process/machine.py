"""This computer: its model (some features need a Raspberry Pi), its addresses and its TCP ports."""

from pathlib import Path

from controller.errors import NoBox

_MODEL = Path("/proc/device-tree/model")  # the firmware of a Pi writes its name there; a PC has no such file


def require_pi(instead: str = "--mock for the simulated box") -> None:
    """Raise `NoBox` unless this is a Raspberry Pi. instead: the option that works on other machines."""
    if "Raspberry Pi" not in model_name():
        raise NoBox(f"this machine is no Raspberry Pi; say {instead}")


def model_name() -> str:
    """Return the model of this computer, as the firmware of a Pi reports it; empty on others."""
    return _MODEL.read_text("utf-8", "replace").strip("\0\n") if _MODEL.exists() else ""
