"""Times the stages of a reading, each by itself, on one core."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from hardware.box import FieldLayout
from tools.evaluation.baseline import read_blobs
from vision.capture.frame import Pixels
from vision.capture.quality import refuse_bad_light
from vision.field.field import locate_field
from vision.libraries import cv2
from vision.reader.reader import read_dice, read_field
from vision.reader.trace import Stage, Trace

LOCATED, WHOLE, BASELINE = "located", "whole", "baseline"

Times = dict[str, float]


@contextmanager
def one_core() -> Iterator[None]:
    """Keep OpenCV to one core within the block, so that times do not depend on the number of cores."""
    before = cv2.getNumThreads()
    keep_to_one_core()
    try:
        yield
    finally:
        cv2.setNumThreads(before)


def keep_to_one_core() -> None:
    """Keep OpenCV to one core from now on, as a process of a pool needs."""
    cv2.setNumThreads(1)


def stage_times(pictures: Sequence[Pixels], layout: FieldLayout, die_mm: float) -> Times:
    """Return the median milliseconds of every stage of reading these pictures, on one core.

    The stages are those of `Stage`; `located` is a reading with the field already located, `whole` a complete one, and
    `baseline` that of the blobs. A stage that no picture reached is left out.
    """
    with one_core():
        taken = [_times(pixels, layout, die_mm) for pixels in pictures]
    names = [*Stage, LOCATED, WHOLE, BASELINE]
    met = {name: [times[name] for times in taken if name in times] for name in names}
    return {str(name): statistics.median(times) for name, times in met.items() if times}


def _times(pixels: Pixels, layout: FieldLayout, die_mm: float) -> Times:
    trace = Trace()
    # The first look at a picture fills the caches, as the frame before it does at the table.
    read_dice(pixels, layout=layout, die_mm=die_mm, trace=trace)
    times: Times = {**trace.ms, WHOLE: _ms(lambda: read_dice(pixels, layout=layout, die_mm=die_mm))}
    times[BASELINE] = _ms(lambda: read_blobs(pixels))
    times[Stage.HEALTH] = _ms(lambda: refuse_bad_light(pixels))
    field = locate_field(pixels, layout)
    times[Stage.FIELD] = _ms(lambda: locate_field(pixels, layout))
    if field is not None:
        times[LOCATED] = _ms(lambda: read_field(pixels, field, die_mm=die_mm))
    return times


def _ms(work: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began_s)
