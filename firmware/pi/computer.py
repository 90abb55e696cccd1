"""The Raspberry Pi itself: its health, its I2C bus, and its header lines after a program has ended."""

import subprocess
from pathlib import Path

_ZONE = Path("/sys/class/thermal/thermal_zone0/temp")  # thousandths of a degree
_ASKS = ("vcgencmd", "get_throttled")  # answers "throttled=0x50005"
_PATIENCE_S = 2.0  # the answer comes from the Raspberry Pi's firmware; without one by then the value is unknown


class PiComputer:
    """The computer that the program runs on.

    Lifetime: nothing is held. Concurrency: any thread; `throttled` waits for a separate process.
    """

    def throttled(self) -> int | None:
        """Return the word of `vcgencmd get_throttled` (Raspberry Pi documentation, vcgencmd); None: unknown."""
        try:
            said = subprocess.run(_ASKS, capture_output=True, text=True, timeout=_PATIENCE_S, check=True)  # noqa: S603
            return int(said.stdout.strip().partition("=")[2], 16)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None

    def temperature_c(self) -> float | None:
        try:
            return int(_ZONE.read_text("ascii")) / 1000
        except (OSError, ValueError):
            return None
