"""A guard of the pulses within the daemon's own process, for a box whose guard has no process of its own."""

import threading

from firmware.errors import PulsesCut
from firmware.guard.line import OutputEnableLine
from firmware.wire import OpenAlarm

_PART = "/OE"
_NEVER = float("inf")


class InProcessGuard:
    """Passes pulses until it is told not to, or until a drive has lasted too long.

    An alarm of its own sees to the second, because loop and bus may both be what keeps a servo from being let go.

    Lifetime: pulses off at first; `close` cuts and lets the line go, which it owns. Concurrency: any thread.
    """

    def __init__(self, line: OutputEnableLine, open_alarm: OpenAlarm) -> None:
        self._line = line
        self._alarm = open_alarm(self._cut_if_due)
        # A simulated alarm may ring while its line is being switched.
        self._one_at_a_time = threading.RLock()
        self._until_s = _NEVER
        self._overran = False

    def now(self) -> float:
        """Seconds of the clock that `allow_until` means."""
        return self._alarm.now()

    @property
    def enabled(self) -> bool:
        """True if pulses pass."""
        self._cut_if_due()
        return self._line.enabled

    def enable(self) -> None:
        """Let pulses pass. Raises `PulsesCut` if a drive that still goes on has lasted too long already."""
        now_s = self.now()
        with self._one_at_a_time:
            self._overran = now_s >= self._until_s
            if self._overran:
                raise overran(_PART)
            self._line.enable()

    def allow_until(self, at_s: float) -> None:
        """Let no drive that goes on now last beyond this time; infinity: none goes on."""
        with self._one_at_a_time:
            self._until_s = at_s
        self._alarm.set_to(at_s)

    def cut(self) -> None:
        """Stop all pulses at once."""
        self._cut_if_due()
        with self._one_at_a_time:
            self._line.cut()

    def check(self) -> None:
        """Raise `PulsesCut` if a drive that lasted too long was cut off, until the next `enable`."""
        self._cut_if_due()
        if self._overran:
            raise overran(_PART)

    def close(self) -> None:
        """Stop all pulses and let the line go to its pull-up."""
        self._alarm.close()
        with self._one_at_a_time:
            # An alarm that rings already finds nothing to cut.
            self._until_s = _NEVER
            self._line.close()

    def _cut_if_due(self) -> None:
        now_s = self.now()
        with self._one_at_a_time:
            # The drive may have ended, or another begun, since the alarm rang.
            if now_s >= self._until_s and self._line.enabled:
                self._line.cut()
                self._overran = True


def overran(part: str) -> PulsesCut:
    """The fault of a drive that lasted too long."""
    return PulsesCut(part, expected="every servo let go in time", seen="one that was still driven")
