"""A field that cannot be seen: for a moment it is a hand, for long it is a fault."""

from vision.errors import CameraFault, FieldDark, FieldLost
from vision.reading import Reading, Reason

BLIND = (Reason.NO_FIELD, Reason.DARK)  # such a picture is looked at again and again, changed or not
_BLIND_S = 5.0  # so long without markers or without light is a fault


class Blindness:
    """How long the field has been unseen.

    Lifetime: as long as the camera. Concurrency: none.
    """

    def __init__(self) -> None:
        self._since_s: float | None = None

    def note(self, reading: Reading, now_s: float) -> None:
        """Raise `FieldLost` or `FieldDark` when the field has been unseen for too long."""
        if reading.reason not in BLIND:
            self._since_s = None
            return
        if self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s >= _BLIND_S:
            self._since_s = None
            raise blindness(reading)


def blindness(reading: Reading) -> CameraFault:
    """The fault that this refusal is when it lasts."""
    if reading.reason is Reason.NO_FIELD:
        return field_lost()
    light = "bright" if reading.reason is Reason.GLARE else "dark"
    return FieldDark("camera", expected="light to read by", seen=f"a picture that is too {light}")


def field_lost() -> FieldLost:
    """The fault of a field whose markers are not seen."""
    return FieldLost("markers", expected="at least 2 of the 4 markers", seen="fewer")
