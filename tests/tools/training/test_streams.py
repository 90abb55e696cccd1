"""What the networks learn from: crops show what their labels say, as far as the packaged networks can tell."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from tools.training import crops, poses
from tools.training.shards import Labelled
from vision.network.network import Stances, face_network, stance_network


def _first(stream: Iterator[Labelled], count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    seen, slopes, labels = zip(*islice(stream, count), strict=True)
    return np.stack(seen), np.array(slopes, np.float32), np.array(labels)


def test_crops_of_faces_show_what_they_are_labelled_with() -> None:
    seen, slopes, labels = _first(crops.stream(1, held_out=False), 300)
    said = face_network().classify(seen, slopes).argmax(axis=1)
    values = (labels > 0) & (labels < crops.TROUBLE)
    assert values.any()
    assert (said == labels)[values].mean() > 0.6
    assert (said == labels)[labels == crops.NONE].mean() > 0.85


@pytest.mark.long
def test_crops_of_stances_show_what_they_are_labelled_with() -> None:
    seen, slopes, labels = _first(poses.stream(1, held_out=False), 80)
    chances = stance_network().classify(Stances(seen, slopes))
    assert chances[labels == 0].mean() < 0.3
    assert chances[labels == 1].mean() > 0.6
