"""The limit for tries of a PIN."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from pydantic import BaseModel, ConfigDict, Field

from controller.errors import TooManyTries

AT_ONCE = 5
EVERY_S = 120.0
MOST_IN_A_ROW = 10


class Tries(BaseModel):
    """The stored count of tries: how many may be made at once, and how many were wrong since the last right one."""

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
    """Limits the tries of a PIN: five at once, then one every two minutes, and none after ten wrong ones.

    So there are at most ten tries in any ten minutes, whatever happens between them. A try counts as wrong before it is
    checked, and the wait is measured by the daemon's own clock, which nobody can set: a restart begins the wait anew.

    There is one count for all clients. Addresses in a home network are cheap, so a count for each would be useless. The
    price: anybody in the network can lock the PIN. Nobody can lock the box's own terminal, which can unlock it.

    It lasts for one run of the daemon; the caller stores `tries` before acting on them.
    now_s: a monotonic clock, in seconds.
    """

    def __init__(self, tries: Tries, now_s: Callable[[], float]) -> None:
        self._tries = tries
        self._now_s = now_s
        self._since_s = now_s()

    @property
    def tries(self) -> Tries:
        """The count to be stored."""
        return self._tries

    @property
    def wait_s(self) -> int | None:
        """The seconds until the next try is allowed, rounded up; None if only somebody at the box can end the wait."""
        self._refill()
        if self._tries.wrong >= MOST_IN_A_ROW:
            return None
        return 0 if self._tries.left else ceil(self._since_s + EVERY_S - self._now_s())

    def count_try(self) -> None:
        """Count a try as wrong. Raises `TooManyTries` if none is allowed now."""
        wait_s = self.wait_s
        if wait_s is None:
            raise TooManyTries("too many wrong PINs: say `shutbox pin --unlock` at the box, or pair this device there")
        if wait_s:
            raise TooManyTries(f"too many wrong PINs: wait {wait_s} seconds, or pair this device at the box", wait_s)
        self._set(self._tries.left - 1, self._tries.wrong + 1)

    def forgive_try(self) -> None:
        """Undo the last counted try, which was right, and reset the wrong ones in a row."""
        self._set(min(self._tries.left + 1, AT_ONCE), 0)

    def unlock(self) -> None:
        """Reset the wrong tries, for somebody at the box. The wait between tries stays, or it would have no effect."""
        self._set(self._tries.left, 0)

    def _refill(self) -> None:
        """Return a try for each wait that has passed; if none is missing, no wait begins."""
        now_s = self._now_s()
        waits = int((now_s - self._since_s) // EVERY_S)
        left = min(self._tries.left + waits, AT_ONCE)
        self._since_s = now_s if left == AT_ONCE else self._since_s + waits * EVERY_S
        self._set(left, self._tries.wrong)

    def _set(self, left: int, wrong: int) -> None:
        self._tries = Tries(left=left, wrong=wrong)
