"""The servos' supply: currents add up, the voltage sags, and far beyond the limit the boards brown out."""

from collections.abc import Iterable
from dataclasses import dataclass

_BROWN_OUT = 1.5  # times the limit: the 5 V line falls below what the PCA9685's power-on reset needs


@dataclass(frozen=True, slots=True)
class Load:
    """What all servos draw together, in ampere, from a supply that carries `limit_a`."""

    total_a: float
    limit_a: float

    @property
    def strength(self) -> float:
        """What is left of a servo's speed, 0..1: it follows the sagging voltage."""
        return min(1.0, self.limit_a / self.total_a)

    @property
    def browns_out(self) -> bool:
        """Whether the servo boards lose their registers."""
        return self.total_a > _BROWN_OUT * self.limit_a


def load_of(currents_a: Iterable[float], limit_a: float) -> Load:
    """Add up the currents of all servos."""
    return Load(sum(currents_a), limit_a)
