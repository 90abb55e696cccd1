"""The note that the wires of a box were found to be as its profile has them; a file that may be deleted."""

from datetime import datetime

from controller.runtime.home import Home
from hardware.calibration import write_durably


def note_wires(home: Home, box: str, date: datetime, *, mock: bool) -> None:
    """Note that the wires of this box were right at `date`. Raises `OSError`."""
    write_durably(home.wires(box, mock=mock), date.isoformat().encode())


def wires_noted(home: Home, box: str, *, mock: bool) -> datetime | None:
    """Return when the wires of this box were found right; None if they never were, or the note is damaged."""
    try:
        return datetime.fromisoformat(home.wires(box, mock=mock).read_text("utf-8"))
    except (OSError, ValueError):
        return None
