"""Simulated pictures of claims whose content is known, to count how well claims are read."""

from dataclasses import dataclass
from typing import Literal

from controller.box.dice import claim_dice_of
from controller.rules.fleet.dice import JOKER, Face
from hardware.box import Box
from hardware.sim.dice import JOKER_VALUE
from tools.scenes.random_claims import LaidSet, random_claim
from vision.capture.frame import Frame
from vision.reading import Reading
from vision.sim.custom_dice import load_claim_set
from vision.sim.scene import render
from vision.watching.box_reader import BoxReader

Disturbance = Literal["coin", "tile", "die", "leaning", "over_edge", "colour", "size", "faces", "pips"]


@dataclass(frozen=True, slots=True)
class ClaimOrder:
    """What lies on the baize.

    laid: sets of dice, each a colour and its faces.
    disturbance: what makes the first set invalid: half of one of its jokers is hidden by a coin, a tile or the last
    die; or that die leans, lies over the edge, or is foreign by its colour, size, faces or pips.
    beside: the number of other dice around the sets.
    seed: for the places of everything, the light and the camera.
    """

    laid: tuple[tuple[str, tuple[Face, ...]], ...]
    disturbance: Disturbance | None = None
    beside: int = 0
    seed: int = 1


class SimulatedClaims:
    """Simulated claims with one kind of joker, and the reader of the box that reads them. Concurrency: one thread."""

    def __init__(self, box: Box, joker: str) -> None:
        taught = load_claim_set(joker)
        self._box = box
        self._joker = joker
        self._reader = BoxReader(box.field, box.die_mm, claims=lambda: taught)
        dice = claim_dice_of(taught)
        if dice is None:
            raise ValueError("no claims can be made with these dice")
        self.dice = dice

    def read(self, order: ClaimOrder) -> Reading:
        """Lay the dice, take a picture, and read it."""
        sets = [
            LaidSet(colour, tuple(JOKER_VALUE if face == JOKER else face for face in faces), self._joker)
            for colour, faces in order.laid
        ]
        scene = random_claim(self._box, order.seed, sets, disturbance=order.disturbance, beside=order.beside)
        return self._reader(Frame(render(scene), 0.0))
