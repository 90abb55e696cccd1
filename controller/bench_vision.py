"""`shutbox bench vision`: pictures whose truth is known are read, by a pool of processes, and judged."""

import random
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.bench_truth import pictures_in, truth_beside
from controller.processes import mapping
from controller.simulated import simulated_throw
from hardware.box import FieldLayout
from vision.field import locate_field
from vision.files import load_picture
from vision.frame import Pixels
from vision.measuring.baseline import read_blobs
from vision.measuring.scoring import Mark, Truth, judge
from vision.measuring.timing import keep_to_one_core, one_core
from vision.reader import read_dice
from vision.reading import Reading

_IN_PLACE = 16  # so few pictures are read before a pool has started
_CHUNK = 8
_BESIDE_BASELINE = 400  # the baseline is slower by far: it reads so many
_COUNTS = (1, 2, 2, 2, 3, 4, 5, 6)  # dice of the throws of a sweep
_SEEDS = 10_000_000  # throws of one seed of a sweep


@dataclass(frozen=True, slots=True)
class Case:
    """One picture to be read: a file and what is true of it, or (without a file) a throw of the simulator."""

    name: str
    file: Path | None = None
    truth: Truth | None = None
    throw: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one picture; without a truth there are no marks. `made_ms` is for loading or rendering."""

    name: str
    truth: Truth | None
    answer: Reading
    mark: Mark | None
    baseline: Mark | None
    made_ms: float
    read_ms: float


@dataclass(frozen=True, slots=True)
class Examiner:
    """Reads a case and judges what was said. `layout` is None for whole pictures."""

    layout: FieldLayout | None
    die_mm: float

    def __call__(self, numbered: tuple[int, Case]) -> Judged:
        """Read and judge one picture; the first ones are read by the baseline too. Raises `OSError`."""
        number, case = numbered
        began_s = time.perf_counter()
        picture, truth = picture_of(case)
        made_s = time.perf_counter()
        answer = picture if isinstance(picture, Reading) else self._read(picture)
        read_s = time.perf_counter()
        mark, baseline = judge(truth, answer) if truth else None, None
        if truth and number < _BESIDE_BASELINE and not isinstance(picture, Reading):
            baseline = judge(truth, self._baseline(picture))
        return Judged(case.name, truth, answer, mark, baseline, 1000 * (made_s - began_s), 1000 * (read_s - made_s))

    def _read(self, pixels: Pixels) -> Reading:
        return read_dice(pixels, layout=self.layout, die_mm=self.die_mm)

    def _baseline(self, pixels: Pixels) -> Reading:
        field = locate_field(pixels, self.layout) if self.layout else None
        return read_blobs(pixels, field.markers.values() if field else ())


def picture_of(case: Case) -> tuple[Pixels | Reading, Truth | None]:
    """The picture of a case, or why it is none, and what is true of it. Raises `OSError`."""
    if case.file is None:
        return simulated_throw(case.throw, random.Random(f"count/{case.throw}").choice(_COUNTS))
    return load_picture(case.file), case.truth


def cases_of(folders: Sequence[Path], sweep: int, seed: int) -> tuple[list[Case], int]:
    """The pictures of the folders and the throws of the sweep; and how many pictures are left out.

    Those without a truth are left out of a folder where others have one. Raises `OSError` and `BadTruth`.
    """
    cases: list[Case] = []
    left_out = 0
    for folder in folders:
        found = [Case(str(file), file, truth_beside(file)) for file in pictures_in(folder)]
        told = [case for case in found if case.truth is not None]
        cases += told or found
        left_out += len(found) - len(told or found)
    throws = range(seed * _SEEDS, seed * _SEEDS + sweep)
    return [*cases, *(Case(f"throw {throw}", throw=throw) for throw in throws)], left_out


def examined(cases: Sequence[Case], examiner: Examiner) -> Generator[Judged, None, None]:
    """Read and judge every case, in order, by one process a core where there are many. Raises as `Examiner`."""
    in_place = len(cases) <= _IN_PLACE
    with one_core(), mapping(in_place=in_place, chunk=_CHUNK, begin=keep_to_one_core) as each:
        yield from each(examiner, enumerate(cases))
