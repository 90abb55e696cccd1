"""stub"""

from dataclasses import dataclass

from controller.rules.fleet import LaidDie
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class ClaimDice:
    """stub."""

    colours: tuple[str, ...]

    def laid(self, reading: Reading) -> tuple[LaidDie, ...]:
        """stub"""
        raise NotImplementedError
