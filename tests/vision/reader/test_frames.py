"""The frames kept in tests/data/frames: one on each side of a limit, named by the case, its measure and the answer."""

import cv2
import numpy as np
import pytest

from tests.support.frames import FRAMES, answer_of, frames


@pytest.mark.parametrize("name", sorted(frames()))
def test_a_frame_gets_the_answer_in_its_name(name: str) -> None:
    picture = np.asarray(cv2.imread(str(FRAMES / name)), np.uint8)
    assert answer_of(picture) == frames()[name][2]


def test_no_frame_is_kept_that_no_case_names() -> None:
    assert {path.name for path in FRAMES.iterdir()} == set(frames())
