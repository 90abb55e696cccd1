"""What is known of the throw that is due: whether it was made already, and of how many dice it shall be."""

from dataclasses import dataclass, replace
from typing import Self

ROLL_S = 4.0  # so long a throw may roll and be read before another is made of it


@dataclass(frozen=True, slots=True)
class Throwing:
    """The throw that is due now.

    dice_wanted: so many dice a house player wishes for. thrown: dice are on their way, and nobody has looked at them
    yet. rolls_until_s: the loop's time at which they lie still at the latest.
    """

    dice_wanted: int | None = None
    thrown: bool = False
    rolls_until_s: float = 0.0

    def begin(self, now_s: float) -> Self:
        """The dice have left the hand."""
        return replace(self, thrown=True, rolls_until_s=now_s + ROLL_S)

    def unread(self, *, is_told: bool) -> Self:
        """Dice were looked at and not read; where people are told so (`is_told`) they roll no longer."""
        return replace(self, thrown=False, rolls_until_s=0.0 if is_told else self.rolls_until_s)

    def is_reading(self, now_s: float) -> bool:
        """True while dice that somebody has thrown are looked at, and a while longer where they still roll."""
        return self.thrown or (self.rolls_until_s > 0.0 and now_s < self.rolls_until_s)
