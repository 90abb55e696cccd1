"""The wood of a simulated box that a bring-up has described by another profile: what it was built as, and its mistakes.

Wires stay as they are when the power goes. Without this file they would be right again after a restart, and the profile
that was written for them wrong.
"""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, ValidationError

from controller.runtime.home import Home
from hardware.calibration import write_durably

_MISTAKES = ("swapped:", "swapped-sensor:", "reversed:", "moved:", "camera:upside-down")


class Wood(BaseModel):
    """The name of the profile that a simulated box was built by, and the mistakes in its wires, as faults."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    built: str
    mistakes: tuple[str, ...]


def note_wood(home: Home, box: str, built: str, faults: Iterable[str]) -> None:
    """Keep what the simulated box `box` was built as, with those of its faults that are mistakes. Raises `OSError`."""
    wood = Wood(built=built, mistakes=tuple(each for each in faults if each.startswith(_MISTAKES)))
    write_durably(home.simulated_wood(box), wood.model_dump_json().encode())


def read_wood(home: Home, box: str) -> Wood | None:
    """Return what is kept of the simulated box `box`; None if nothing is, or it is damaged."""
    try:
        return Wood.model_validate_json(home.simulated_wood(box).read_bytes())
    except (OSError, ValidationError):
        return None
