"""Pairing: a device that wants to be an operator's shows a number; somebody at the box confirms it within a minute."""

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
    """A device that waits for confirmation, with the digest of the token that then becomes valid."""

    name: str
    number: str
    digest: str
    until_s: float

    @property
    def begun_s(self) -> float:
        """The time at which it began to wait."""
        return self.until_s - PAIRING_S

    def view(self, now_s: float) -> PairingView:
        """Return the public view of this pairing."""
        return PairingView(self.name, self.number, ceil(self.until_s - now_s))


def begin(name: str, digest: str, now_s: float) -> Pairing:
    """Return a pairing that begins now. Its number distinguishes devices for the person at the box; it is no secret."""
    return Pairing(name, f"{secrets.randbelow(_NUMBERS):04}", digest, now_s + PAIRING_S)
