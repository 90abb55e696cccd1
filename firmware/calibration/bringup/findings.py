"""What bring-up has found wrong with the wiring, in the words that a person at the box needs."""

from dataclasses import dataclass
from typing import Literal

# chip: at another address, or silent. servo, sensor: its plug sits elsewhere. direction: a servo turns the other way.
# silent: a tile does not answer. stuck: one of its sensors says the same all the time, or flickers. both: more than
# one tile moves at once. supply: nothing moves. camera: how it hangs, and what it sees.
FindingKind = Literal["chip", "servo", "sensor", "direction", "silent", "stuck", "both", "supply", "camera"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake: the part, what is expected and what is seen, and what to do.

    mended: a proposed change of the profile describes the box as it is, so that nothing need be done to it.
    """

    kind: FindingKind
    part: str
    expected: str
    seen: str
    cure: str
    mended: bool = False

    def __str__(self) -> str:
        return f"{self.part}: expected {self.expected}, seen {self.seen}. {self.cure}"
