"""How often a PIN may be tried: five times at once, then once in two minutes, and after ten wrong ones not at all.

So there are ten tries at most in any ten minutes, whatever happens between them. A try is counted as a wrong one before
it is looked at, and waiting is counted by the daemon's own clock, which nobody can set: a restart begins the wait anew.

It is one count for all. Addresses in a home's network are cheap, and a count for each would be a count for none. The
price: anybody in the network can lock the PIN. Nobody can lock the box's own terminal, which opens it again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from pydantic import BaseModel, ConfigDict, Field

from controller.errors import TooManyTries

AT_ONCE = 5
EVERY_S = 120.0
MOST_IN_A_ROW = 10


class Tries(BaseModel):
    """What is kept of the tries: how many may be made at once, and how many were wrong since the last right one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: int = Field(default=AT_ONCE, ge=0, le=AT_ONCE)
    wrong: int = Field(default=0, ge=0, le=MOST_IN_A_ROW)


@dataclass(frozen=True, slots=True)
class PinView:
    """The PIN as an operator sees it. wrong: tries in a row. wait_s: whole seconds until another; None: never."""

    is_set: bool
    wrong: int
    wait_s: int | None


class Throttle:
    """The tries of one run of the daemon; whoever calls keeps `tries` before anything is made of them.

    now_s: a clock that only rises, in seconds.
    """

    def __init__(self, tries: Tries, now_s: Callable[[], float]) -> None:
        self._tries = tries
        self._now_s = now_s
        self._since_s = now_s()

    @property
    def tries(self) -> Tries:
        """What is to be kept of them now."""
        return self._tries

    @property
    def wait_s(self) -> int | None:
        """The seconds until a try is looked at, rounded up; None if only somebody at the box can end the wait."""
        self._refill()
        if self._tries.wrong >= MOST_IN_A_ROW:
            return None
        return 0 if self._tries.left else ceil(self._since_s + EVERY_S - self._now_s())

    def count_try(self) -> None:
        """Count a try as a wrong one. Raises `TooManyTries` if none may be made now."""
        wait_s = self.wait_s
        if wait_s is None:
            raise TooManyTries("too many wrong PINs: say `shutbox pin --unlock` at the box, or pair this device there")
        if wait_s:
            raise TooManyTries(f"too many wrong PINs: wait {wait_s} seconds, or pair this device at the box", wait_s)
        self._set(self._tries.left - 1, self._tries.wrong + 1)

    def forgive_try(self) -> None:
        """The try that was counted last was right: it costs nothing, and no wrong ones are in a row now."""
        self._set(min(self._tries.left + 1, AT_ONCE), 0)

    def unlock(self) -> None:
        """Somebody at the box says that it is no guesser. The wait between tries stays, or it were none."""
        self._set(self._tries.left, 0)

    def _refill(self) -> None:
        """Give back a try for each wait that has passed; where none is missing, waiting does not begin."""
        now_s = self._now_s()
        waits = int((now_s - self._since_s) // EVERY_S)
        left = min(self._tries.left + waits, AT_ONCE)
        self._since_s = now_s if left == AT_ONCE else self._since_s + waits * EVERY_S
        self._set(left, self._tries.wrong)

    def _set(self, left: int, wrong: int) -> None:
        self._tries = Tries(left=left, wrong=wrong)
