"""Pictures of claims on a simulated box, for those who count how well claims are read: what is laid is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from controller.box.claim_dice import ClaimDice, claim_dice_of
from controller.rules.fleet import JOKER, Face
from hardware.box import Box
from hardware.sim import JOKER_VALUE
from vision.capture import Frame
from vision.reading import Reading
from vision.sim import LaidSet, load_claim_set, random_claim, render
from vision.watching import BoxReader

Disturbance = Literal["coin", "tile", "die", "leaning", "over_edge", "colour", "size", "faces", "pips"]


@dataclass(frozen=True, slots=True)
class ClaimOrder:
    """What lies on the baize: `laid` are dice of a colour each, with their faces; `beside` so many dice lie around it.

    disturbance: what makes the first of them no claim: half of a joker, which is among them, is hidden by a coin, a
    tile or the last die; or that leans, lies over the edge, or is a stranger's, by its colour, size, faces or pips.
    seed: the chance of where everything lies, of the light and of the camera.
    """

    laid: tuple[tuple[str, tuple[Face, ...]], ...]
    disturbance: Disturbance | None = None
    beside: int = 0
    seed: int = 1


class SimulatedClaims:
    """Simulated claims with one kind of jokers, and the reader of the box that reads them.

    Lifetime: none to speak of. Concurrency: one thread.
    """

    def __init__(self, box: Box, joker: str) -> None:
        taught = load_claim_set(joker)
        self._box = box
        self._joker = joker
        self._reader = BoxReader(box.field, box.die_mm, claims=lambda: taught)
        self.dice = _dice_of(claim_dice_of(taught))

    def read(self, order: ClaimOrder) -> Reading:
        """Lay what is ordered, take a picture, and read it."""
        sets = [LaidSet(colour, _values(faces), self._joker) for colour, faces in order.laid]
        scene = random_claim(self._box, order.seed, sets, disturbance=order.disturbance, beside=order.beside)
        return self._reader(Frame(render(scene), 0.0))


def _values(faces: Sequence[Face]) -> tuple[int, ...]:
    return tuple(JOKER_VALUE if face == JOKER else face for face in faces)


def _dice_of(dice: ClaimDice | None) -> ClaimDice:
    if dice is None:
        raise ValueError("no claims can be made with these dice")
    return dice
