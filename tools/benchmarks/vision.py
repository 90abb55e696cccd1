"""Reading dice in simulated pictures against the tutorials' blobs in clusters, on one core: how well and how fast."""

from collections.abc import Callable
from itertools import cycle

import cv2
import numpy as np

from hardware.box import load_box
from tools.benchmarks.measure import compare
from tools.evaluation.baseline import read_blobs
from tools.evaluation.timing import one_core
from tools.scenes.random_scenes import simulated_throw
from vision.capture.frame import Frame, Pixels
from vision.field.field import Field, locate_field
from vision.reader.reader import read_dice, read_field
from vision.reading import Reading
from vision.scoring import judge, tally_of
from vision.watching.capture_thread import has_moved, thumbnail_of

_BOX = load_box("two-level-9")
_THROWS, _RUNS = 48, 15
_STEP = 25  # grey levels: what the tutorials take for motion


def _located(pixels: Pixels) -> Field:
    field = locate_field(pixels, _BOX.field)
    if field is None:
        raise AssertionError("no field in a picture of the simulator")
    return field


def _by_turns(pictures: list[Pixels], work: Callable[[Pixels], object]) -> Callable[[], object]:
    """The work on one picture after the other."""
    turns = cycle(pictures)
    return lambda: work(next(turns))


def _read(pixels: Pixels) -> Reading:
    return read_dice(pixels, layout=_BOX.field, die_mm=_BOX.die_mm)


def _pixels_changed(one: Pixels, other: Pixels) -> bool:
    grey = (cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), (21, 21), 0) for pixels in (one, other))
    return bool(np.any(cv2.absdiff(*grey) > _STEP))


def _print_marks() -> None:
    thrown = [simulated_throw(seed, 2) for seed in range(_THROWS)]
    ours = tally_of(judge(truth, _read(pixels)) for pixels, truth in thrown)
    blobs = tally_of(judge(truth, read_blobs(pixels, _located(pixels).markers.values())) for pixels, truth in thrown)
    for name, tally in (("ours", ours), ("blobs in clusters", blobs)):
        print(
            f"{f'{_THROWS} throws of two dice, {name}':46} "
            f"{tally.exact} exact, {tally.wrong} wrong, {tally.refused} refused"
        )


def _print_times() -> None:
    pictures = [simulated_throw(seed, 2)[0] for seed in range(4)]
    fields = {id(pixels): _located(pixels) for pixels in pictures}
    before = thumbnail_of(Frame(pictures[0], 0.0))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    for name, ours, baseline in (
        (
            "two dice, the field located (blobs)",
            lambda pixels: read_field(pixels, fields[id(pixels)], die_mm=_BOX.die_mm),
            read_blobs,
        ),
        ("two dice, the field located afresh (blobs)", _read, read_blobs),
        ("locating the field (marker detection)", _located, detector.detectMarkers),
        (
            "does anything move? (blurred difference)",
            lambda pixels: has_moved(before, thumbnail_of(Frame(pixels, 0.0))),
            lambda pixels: _pixels_changed(pictures[0], pixels),
        ),
    ):
        compare(name, _by_turns(pictures, ours), _by_turns(pictures, baseline), runs=_RUNS)


def main() -> None:
    """Print how many throws were read, and the comparisons."""
    with one_core():
        _print_marks()
        _print_times()


if __name__ == "__main__":
    main()
