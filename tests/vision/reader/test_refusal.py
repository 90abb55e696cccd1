"""When a die that was read is doubted: by what the network says of it, by how well its pips fit, and by both."""

import numpy as np
import pytest

from vision.network.classified import ClassifiedFace
from vision.pips.face_check import FaceFit
from vision.pips.patch import Outline
from vision.pips.spots import Spots
from vision.reader.refusal import is_doubtful

NO_OUTLINE = Outline(0.0, 0.0, 0.0, 1.0)

NO_SPOTS = Spots(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0, bool), np.zeros(0))


def doubted(value: int, agreement: float, quality: float, *, light: bool = False) -> bool:
    middle = np.array((600.0, 400.0))
    face = FaceFit(
        *(value, middle, 0.0, 64.0, 6.5, light, np.zeros(3), np.zeros(3)),
        *((0,), middle[None], 1.0, 80.0, quality, NO_OUTLINE),
    )
    chances = np.zeros(8, np.float32)
    chances[value], chances[2] = agreement, 1 - agreement
    return is_doubtful(ClassifiedFace(face, chances), NO_SPOTS)


@pytest.mark.parametrize(("agreement", "quality"), [(0.57, 1.0), (0.65, 0.35), (0.75, 0.56), (0.87, 0.59)])
def test_a_die_is_doubted_whose_network_is_unsure_and_the_more_so_the_less_its_pips_fit(
    agreement: float, quality: float
) -> None:
    assert doubted(3, agreement, quality)


@pytest.mark.parametrize(("agreement", "quality"), [(0.63, 0.9), (0.75, 0.66), (0.93, 0.56), (0.99, 0.3)])
def test_a_die_is_believed_when_one_of_the_two_is_sure(agreement: float, quality: float) -> None:
    assert not doubted(3, agreement, quality)


def test_a_one_must_be_surer_for_any_pip_may_be_taken_for_it() -> None:
    assert doubted(1, 0.82, 0.9)
    assert not doubted(1, 0.88, 0.9)
    assert not doubted(1, 0.88, 0.4)


def test_a_face_that_a_lamp_may_have_robbed_of_its_middle_pip_must_fit_better() -> None:
    assert doubted(4, 0.975, 0.48, light=True)
    assert doubted(4, 0.996, 0.28, light=True)
    assert not doubted(4, 0.975, 0.48)
    assert not doubted(4, 0.97, 0.64, light=True)
    assert not doubted(4, 0.985, 0.38, light=True)
    assert not doubted(4, 0.999, 0.28, light=True)
    assert not doubted(6, 0.975, 0.48, light=True)
