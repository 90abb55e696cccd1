"""A guard of the pulses within the daemon's own process, for a box without a guard process."""

import threading

from firmware.errors import PulsesCut
from firmware.guard.line import OutputEnableLine
from firmware.wire import OpenAlarm

_PART = "/OE"
_NEVER = float("inf")


class InProcessGuard:
    """Lets pulses pass until `cut`, or until a drive has lasted too long.

    Its own alarm ends such a drive, because loop and bus may both be what keeps the servo from being released.

    Lifetime: pulses off at first; `close` cuts them and releases the line, which it owns. Concurrency: any thread.
    """

    def __init__(self, line: OutputEnableLine, open_alarm: OpenAlarm) -> None:
        self._line = line
        self._alarm = open_alarm(self._cut_if_due)
        # A simulated alarm may ring while its line is being switched.
        self._one_at_a_time = threading.RLock()
        self._until_s = _NEVER
        self._overran = False

    def now(self) -> float:
        return self._alarm.now()

    @property
    def enabled(self) -> bool:
        self._cut_if_due()
        return self._line.enabled

    def enable(self) -> None:
        """Let pulses pass. Raises `PulsesCut` if a running drive has already lasted too long."""
        now_s = self.now()
        with self._one_at_a_time:
            self._overran = now_s >= self._until_s
            if self._overran:
                raise overran(_PART)
            self._line.enable()

    def allow_until(self, at_s: float) -> None:
        with self._one_at_a_time:
            self._until_s = at_s
        self._alarm.set_to(at_s)

    def cut(self) -> None:
        self._cut_if_due()
        with self._one_at_a_time:
            self._line.cut()

    def check(self) -> None:
        """Raise `PulsesCut` if a drive that lasted too long was cut, until the next `enable`."""
        self._cut_if_due()
        if self._overran:
            raise overran(_PART)

    def close(self) -> None:
        """Stop all pulses and release the line to its pull-up."""
        self._alarm.close()
        with self._one_at_a_time:
            # An alarm that is already ringing finds nothing to cut.
            self._until_s = _NEVER
            self._line.close()

    def _cut_if_due(self) -> None:
        now_s = self.now()
        with self._one_at_a_time:
            # Since the alarm rang, the drive may have ended or another may have begun.
            if now_s >= self._until_s and self._line.enabled:
                self._line.cut()
                self._overran = True


def overran(part: str) -> PulsesCut:
    return PulsesCut(part, expected="every servo let go in time", seen="one that was still driven")
