"""Keeping count of chips that lose their registers: once is an accident, again and again is a fault."""

from collections import defaultdict

from firmware.bus import name_of
from firmware.errors import ChipForgot

_FORGIVEN = 2
_WITHIN_S = 10.0


class Losses:
    """The losses of each chip within the last ten seconds.

    Lifetime: as the box. Concurrency: the bus worker.
    """

    def __init__(self) -> None:
        self._at_s: defaultdict[int, list[float]] = defaultdict(list)

    def note(self, chip: int, now_s: float) -> None:
        """One more loss at `now_s`. Raises `ChipForgot` when it is one too many."""
        recent = [at_s for at_s in self._at_s[chip] if now_s - at_s < _WITHIN_S]
        self._at_s[chip] = [*recent, now_s]
        if len(recent) >= _FORGIVEN:
            self._at_s[chip].clear()
            seen = f"registers lost {_FORGIVEN + 1} times in {_WITHIN_S:.0f} s"
            raise ChipForgot(name_of(chip), expected="registers that keep their values", seen=seen)
