"""The PIN of a box: which PINs are allowed, the slow digest that is stored of one, and the limit for tries."""

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from pydantic import BaseModel, ConfigDict, Field, field_validator

from controller.errors import BadPin, TooManyTries
from controller.runtime.tokens import is_same

LEAST_DIGITS, MOST_DIGITS = 6, 12
_PIN = re.compile(rf"\d{{{LEAST_DIGITS},{MOST_DIGITS}}}", re.ASCII)
_DIGITS = "0123456789"
_SALT_BYTES = 16
# One of the equivalent choices of OWASP's Password Storage Cheat Sheet (scrypt, N=2^14, r=8, p=5), the one that takes
# 16 MB: the daemon has 150 MB in all, on a computer that also runs games.
_COST, _BLOCK, _PASSES = 2**14, 8, 5
_BYTES_OF_ROOM = 64 * 2**20  # without a limit, OpenSSL refuses more than 32 MB


def check_pin(pin: str) -> None:
    """Raise `BadPin` unless a PIN can be set: a guesser has ten tries, and would start with the weak ones."""
    if not _PIN.fullmatch(pin):
        raise BadPin(f"a PIN has {LEAST_DIGITS} to {MOST_DIGITS} digits, and nothing else")
    if _is_weak(pin):
        raise BadPin("that PIN is tried first: no repeated digits, no 123456, no 121212; choose another")


def _is_weak(pin: str) -> bool:
    """Return whether it is one to three digits repeated, digits in a row up or down, or pairs of these (112233)."""
    repeated = any(pin == (pin[:length] * len(pin))[: len(pin)] for length in (1, 2, 3))
    return repeated or _is_in_a_row(pin) or (pin[::2] == pin[1::2] and _is_in_a_row(pin[::2]))


def _is_in_a_row(digits: str) -> bool:
    return any(digits in line * 2 for line in (_DIGITS, _DIGITS[::-1]))


class PinDigest(BaseModel):
    """The stored form of a PIN: a slow digest with its salt and cost (`hashlib.scrypt`).

    With the file, all six-digit PINs can still be tried in a few days; this only protects against a glance at the file.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    salt: str = Field(pattern=r"^[0-9a-f]{32}$")
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    cost: int = Field(default=_COST, ge=2, le=_COST)
    block: int = Field(default=_BLOCK, ge=1, le=_BLOCK)
    passes: int = Field(default=_PASSES, ge=1, le=_PASSES)

    @field_validator("cost")
    @classmethod
    def _is_a_power_of_two(cls, cost: int) -> int:
        if cost & (cost - 1):
            raise ValueError("must be a power of two: scrypt takes no other")
        return cost

    def fits(self, pin: str) -> bool:
        """Return whether this is the digest of `pin`. As slow as making one: not for the event loop."""
        return is_same(self.digest, _derive(pin, bytes.fromhex(self.salt), self.cost, self.block, self.passes))


def digest_pin(pin: str) -> PinDigest:
    """Return the stored form of a PIN. Raises `BadPin`.

    It takes a fraction of a second and 16 MB: not for the event loop.
    """
    check_pin(pin)
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = _derive(pin, salt, _COST, _BLOCK, _PASSES)
    return PinDigest(salt=salt.hex(), digest=digest, cost=_COST, block=_BLOCK, passes=_PASSES)


def _derive(pin: str, salt: bytes, cost: int, block: int, passes: int) -> str:
    made = hashlib.scrypt(pin.encode(), salt=salt, n=cost, r=block, p=passes, maxmem=_BYTES_OF_ROOM, dklen=32)
    return made.hex()


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

    There is one count for all clients: one per address would be useless, because a client in a home network can use
    many. The drawback: anybody in the network can lock the PIN. Nobody can lock the box's own terminal, which opens it.

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
