"""What the networks learn from: crops show what their labels say, as far as the packaged networks can tell."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from tests.support.long import long_but_every
from tools.training import anywhere, crops, poses
from tools.training.shards import Labelled
from vision.network.classified import FaceClassifier
from vision.network.network import Stances, anywhere_network, face_network, stance_network


def _first(stream: Iterator[Labelled], count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    seen, slopes, labels = zip(*islice(stream, count), strict=True)
    return np.stack(seen), np.array(slopes, np.float32), np.array(labels)


@pytest.mark.parametrize(
    ("stream", "classify"),
    long_but_every(
        2,
        [
            (crops.stream(1, held_out=False), face_network().classify),
            (anywhere.stream(1, None), anywhere_network().classify),
        ],
    ),
    ids=["field", "anywhere"],
)
def test_crops_of_faces_show_what_they_are_labelled_with(stream: Iterator[Labelled], classify: FaceClassifier) -> None:
    seen, slopes, labels = _first(stream, 300)
    said = classify(seen, slopes).argmax(axis=1)
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
