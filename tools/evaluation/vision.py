"""The trials of `vision`: pictures whose truth is known are read, by a pool of processes, and judged."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.box import FieldLayout
from tests.campaigns.campaign import Campaign, Results
from tools.evaluation.baseline import read_blobs
from tools.evaluation.timing import keep_to_one_core, one_core
from tools.scenes.random_scenes import simulated_throw
from vision.capture.files import load_picture
from vision.capture.frame import Pixels
from vision.field.field import locate_field
from vision.reader.reader import read_dice
from vision.reading import Reading
from vision.scoring import Mark, Truth, find_truth, judge, pictures_in

_IN_PLACE = 16  # pictures: see `Campaign.in_place`
_CHUNK = 8
_BESIDE_BASELINE = 400  # the baseline is slower by far: it reads so many
_COUNTS = (1, 2, 2, 2, 3, 4, 5, 6)  # dice of the throws of a sweep
_SEEDS = 10_000_000  # throws that one seed of a sweep may have before the next seed's begin


@dataclass(frozen=True, slots=True)
class Trial:
    """One picture to be read: a file and what is true of it, or (without a file) a throw of the simulator."""

    name: str
    file: Path | None = None
    truth: Truth | None = None
    throw: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """One picture that was read; without a truth there are no marks. `made_ms` is for loading or rendering."""

    name: str
    truth: Truth | None
    answer: Reading
    mark: Mark | None
    baseline: Mark | None
    made_ms: float
    read_ms: float


@dataclass(frozen=True, slots=True)
class Examiner:
    """Reads the picture of a trial and judges what was said.

    It is a class because it travels to other processes with what it needs to know.
    """

    layout: FieldLayout
    die_mm: float

    def __call__(self, numbered: tuple[int, Trial]) -> Outcome:
        """Read and judge one picture; the first ones are read by the baseline too. Raises `OSError`."""
        number, trial = numbered
        began_s = time.perf_counter()
        picture, truth = picture_of(trial)
        made_s = time.perf_counter()
        answer = picture if isinstance(picture, Reading) else self._read(picture)
        read_s = time.perf_counter()
        mark, baseline = judge(truth, answer) if truth else None, None
        if truth and number < _BESIDE_BASELINE and not isinstance(picture, Reading):
            baseline = judge(truth, self._baseline(picture))
        return Outcome(trial.name, truth, answer, mark, baseline, 1000 * (made_s - began_s), 1000 * (read_s - made_s))

    def _read(self, pixels: Pixels) -> Reading:
        return read_dice(pixels, layout=self.layout, die_mm=self.die_mm)

    def _baseline(self, pixels: Pixels) -> Reading:
        field = locate_field(pixels, self.layout)
        return read_blobs(pixels, field.markers.values() if field else ())


def picture_of(trial: Trial) -> tuple[Pixels | Reading, Truth | None]:
    """The picture of a trial, or why it is none, and what is true of it. Raises `OSError`."""
    if trial.file is None:
        return simulated_throw(trial.throw, random.Random(f"count/{trial.throw}").choice(_COUNTS))
    return load_picture(trial.file), trial.truth


def list_trials(folders: Sequence[Path], sweep: int, seed: int) -> tuple[list[Trial], int]:
    """List the pictures of the folders and the throws of the sweep, and count the pictures left out.

    Those without a truth are left out of a folder where others have one. Raises `OSError` and `BadTruth`.
    """
    trials: list[Trial] = []
    left_out = 0
    for folder in folders:
        found = [Trial(str(file), file, find_truth(file)) for file in pictures_in(folder)]
        labelled = [trial for trial in found if trial.truth is not None]
        trials += labelled or found
        left_out += len(found) - len(labelled or found)
    throws = range(seed * _SEEDS, seed * _SEEDS + sweep)
    return [*trials, *(Trial(f"throw {throw}", throw=throw) for throw in throws)], left_out


def examine(trials: Sequence[Trial], examiner: Examiner) -> Results[Outcome]:
    """Read and judge every picture, in order, or as many as there are before Ctrl-C. Raises as `Examiner`."""
    marks: Counter[Mark | None] = Counter()

    def describe(outcome: Outcome) -> str:
        marks[outcome.mark] += 1
        return ", ".join(f"{marks[mark]} {mark}" for mark in Mark if marks[mark])

    numbered = list(enumerate(trials))
    with one_core():
        return Campaign("pictures", numbered, examiner, in_place=_IN_PLACE, chunk=_CHUNK, begin=keep_to_one_core).run(
            describe
        )
