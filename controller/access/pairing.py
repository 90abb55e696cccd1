"""Pairing: a device asks to be an operator's and shows a number; somebody at the box says yes within a minute."""

import secrets
from dataclasses import dataclass
from math import ceil

PAIRING_S = 60.0
_NUMBERS = 10_000


@dataclass(frozen=True, slots=True)
class PairingView:
    """A device that waits: its name, the number that it shows, and the whole seconds that it still waits."""

    name: str
    number: str
    wait_s: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """A device that waits for somebody at the box, by the digest of the token that becomes good then."""

    name: str
    number: str
    digest: str
    until_s: float

    @property
    def begun_s(self) -> float:
        """Since when it waits."""
        return self.until_s - PAIRING_S

    def view(self, now_s: float) -> PairingView:
        """The same as people see it."""
        return PairingView(self.name, self.number, ceil(self.until_s - now_s))


def begin(name: str, digest: str, now_s: float) -> Pairing:
    """A pairing that begins now. Its number tells devices apart for who stands between them, and is no secret."""
    return Pairing(name, f"{secrets.randbelow(_NUMBERS):04}", digest, now_s + PAIRING_S)
