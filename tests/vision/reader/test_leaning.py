"""When a die is taken for one that leans: by what is about it, by its top, and by what it may lean on."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from vision.network.classified import ClassifiedFace
from vision.pips.face_check import FaceFit
from vision.pips.patch import Outline
from vision.pips.spots import Spots
from vision.reader.refusal import leans
from vision.reader.scan import Scan

NO_OUTLINE = Outline(0.0, 0.0, 0.0, 1.0)

if TYPE_CHECKING:
    from vision.field.view import View

EDGE = 64.0
VIEW = cast("View", SimpleNamespace(baize=(76.0, 76.0, 1196.0, 876.0)))
MIDDLE = (600.0, 400.0)  # far from every wall
BESIDE = (600.0 + 1.5 * EDGE, 400.0)
NOWHERE = Spots(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0, bool), np.zeros(0))


def die(place: tuple[float, float], tilt: float = 0.0) -> ClassifiedFace:
    middle = np.array(place)
    face = FaceFit(
        *(2, middle, 0.0, EDGE, 6.5, False, np.zeros(3), np.zeros(3), (0,), middle[None], 1.0, 80.0, 1.0, NO_OUTLINE)
    )
    chances = np.zeros(8, np.float32)
    chances[2], chances[7] = 1 - tilt, tilt
    return ClassifiedFace(face, chances)


def is_leaning(
    chance: float,
    *,
    tilt: float = 0.0,
    beside_mm2: float = 0.0,
    at: tuple[float, float] = MIDDLE,
    other: tuple[float, float] | None = None,
) -> bool:
    """Whether a die leans of which the stance network gives this chance, and the face network that of a tilt."""
    dice = (die(at, tilt), *([die(other)] if other else []))
    others = (0.0,) * (len(dice) - 1)
    found = Scan(dice, (beside_mm2, *others), NOWHERE, NOWHERE, (), leaning=(chance, *others))
    return leans(VIEW, dice[0], found, 0)


@pytest.mark.parametrize(("chance", "leaning"), [(0.65, False), (0.75, True)])
def test_what_stands_alone_can_only_lie_on_another(chance: float, leaning: bool) -> None:
    assert is_leaning(chance) is leaning


@pytest.mark.parametrize(
    "at", [(76.0 + EDGE, 400.0), (1196.0 - EDGE, 400.0), (600.0, 76.0 + EDGE), (600.0, 876.0 - EDGE)]
)
def test_a_wall_looks_like_the_side_of_what_leans(at: tuple[float, float]) -> None:
    assert not is_leaning(0.8, at=at)
    assert is_leaning(0.9, at=at)


def test_so_does_a_die_beside_it() -> None:
    assert not is_leaning(0.8, other=BESIDE)
    assert is_leaning(0.9, other=BESIDE)
    assert is_leaning(0.8, other=(600.0 + 2.5 * EDGE, 400.0))


@pytest.mark.parametrize("other", [None, BESIDE])
def test_what_looks_askew_or_sticks_out_is_believed_sooner(other: tuple[float, float] | None) -> None:
    assert is_leaning(0.55, tilt=0.1, other=other)
    assert is_leaning(0.55, beside_mm2=1.0, other=other)
    assert not is_leaning(0.55, other=other)
    assert not is_leaning(0.45, tilt=0.1, other=other)


def test_the_face_alone_may_tell() -> None:
    assert is_leaning(0.0, tilt=0.85)
    assert not is_leaning(0.0, tilt=0.75)


@pytest.mark.parametrize(("other", "little", "much"), [(None, 4.0, 24.0), (BESIDE, 16.0, 60.0)])
def test_so_may_what_sticks_out(other: tuple[float, float] | None, little: float, much: float) -> None:
    assert is_leaning(0.2, beside_mm2=little, other=other)
    assert not is_leaning(0.1, beside_mm2=little, other=other)
    assert is_leaning(0.0, beside_mm2=much, other=other)
    assert not is_leaning(0.0, beside_mm2=much - 1, other=other)
