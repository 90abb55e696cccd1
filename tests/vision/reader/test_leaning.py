"""When a die is taken for one that leans: as soon as one of the networks finds that likely enough."""

import numpy as np
import pytest

from vision.network.classified import ClassifiedFace
from vision.pips.face_check import FaceFit
from vision.pips.patch import Outline
from vision.reader.refusal import leans

MIDDLE = np.array([600.0, 400.0])
NO_OUTLINE = Outline(0.0, 0.0, 0.0, 1.0)


def die(tilt: float) -> ClassifiedFace:
    """A 2 of which the face network gives this chance of a tilt."""
    face = FaceFit(
        *(2, MIDDLE, 0.0, 64.0, 6.5, False, np.zeros(3), np.zeros(3), (0,), MIDDLE[None], 1.0, 80.0, 1.0, NO_OUTLINE)
    )
    chances = np.zeros(8, np.float32)
    chances[2], chances[7] = 1 - tilt, tilt
    return ClassifiedFace(face, chances)


@pytest.mark.parametrize(
    ("tilt", "not_flat", "leaning"),
    [(0.0, 0.55, False), (0.0, 0.65, True), (0.55, 0.0, False), (0.65, 0.0, True), (0.55, 0.55, False)],
)
def test_either_network_tells_a_die_that_leans(tilt: float, not_flat: float, leaning: bool) -> None:
    assert leans(die(tilt), not_flat) is leaning
