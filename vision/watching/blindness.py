"""Decides when an unseen field is a fault: markers or light may be gone for a moment (a hand), but not for long."""

from vision.errors import CameraFault, FieldDark, FieldLost
from vision.reading import Reading, Reason

BLIND = (Reason.NO_FIELD, Reason.DARK)  # such a picture is read again and again, changed or not
_BLIND_S = 5.0  # this long without markers or without light is a fault


class Blindness:
    """The time for which the field has been unseen.

    A single refusal cannot tell an arm over the markers from a camera that was turned away; its duration can.

    Lifetime: as long as the camera. Concurrency: none.
    """

    def __init__(self) -> None:
        self._since_s: float | None = None
        self._looked_s = 0.0

    def check(self, reading: Reading, now_s: float) -> None:
        """Take a reading into account. Raises `FieldLost` or `FieldDark` when the field was unseen for too long."""
        if reading.reason not in BLIND:
            self._since_s = None
            return
        if self._since_s is None or now_s - self._looked_s > _BLIND_S:
            self._since_s = now_s  # a time without looks, as in a pause, does not count
        self._looked_s = now_s
        if now_s - self._since_s >= _BLIND_S:
            self._since_s = None
            raise blindness_fault(reading)


def blindness_fault(reading: Reading) -> CameraFault:
    """Return the fault that this refusal is when it lasts."""
    if reading.reason is Reason.NO_FIELD:
        return field_lost_fault()
    light = "bright" if reading.reason is Reason.GLARE else "dark"
    return FieldDark("camera", expected="light to read by", seen=f"a picture that is too {light}")


def field_lost_fault() -> FieldLost:
    return FieldLost("markers", expected="at least 2 of the 4 markers", seen="fewer")
