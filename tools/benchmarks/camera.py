"""Calibrating the camera of many simulated boxes: how far the tops of dice then seem to be from where they are."""

import random
import sys
from dataclasses import dataclass

import numpy as np

from hardware.box import load_box
from tools.scenes.families import mount_variously
from vision.calibration.guided_views import ON_BAIZE, VIEWS, SheetViews
from vision.calibration.measure import LensResult, locate_on_sheet, measure_lens
from vision.calibration.sheets import SheetView, find_sheet
from vision.capture.frame import Pixels
from vision.field.field import Field, locate_field
from vision.sim.calibration_sheet import draw_sheet, hold_as
from vision.sim.optics import Optics
from vision.sim.scene import Scene, render

_BOX = load_box("two-level-9")
_SIZE_PX = (_BOX.camera.width_px, _BOX.camera.height_px)
_PLACES_MM = np.array([(x, y) for x in np.linspace(9, 271, 9) for y in np.linspace(9, 191, 7)])
TOP_MM = 16.0


@dataclass(frozen=True, slots=True)
class Calibrated:
    """One box: what its calibration is called, and how far the top of a die seems to be off at most, in mm.

    `guessed_mm` is the same without a calibration; infinite where no field was found.
    """

    seed: int
    result: LensResult
    off_mm: float
    guessed_mm: float


def calibrated_box(seed: int) -> Calibrated:
    """A box with its own lens, height and tilt of the camera, calibrated as a person would."""
    rng = random.Random(f"box/{seed}")
    optics = mount_variously(rng, _BOX.field)
    empty = render(Scene(optics, _BOX.field, seed=seed))
    taken = views_of(optics, empty, rng)
    result = measure_lens(taken, *_SIZE_PX)
    field = locate_on_sheet(empty, _BOX.field, result.lens, taken[ON_BAIZE])
    return Calibrated(seed, result, _off_mm(field, optics), _off_mm(locate_field(empty, _BOX.field), optics))


def views_of(optics: Optics, empty: Pixels, rng: random.Random, views: int = len(VIEWS)) -> tuple[SheetView, ...]:
    """The views that are asked for, each held again until it is taken. Raises `AssertionError` if one never is."""
    session = SheetViews(*_SIZE_PX, views)
    for _ in range(4 * views):
        if session.wanted is None:
            break
        sheet = find_sheet(draw_sheet(empty, hold_as(session.wanted, optics, _SIZE_PX, rng), optics))
        # A sheet that is held still is seen twice.
        session, _ = session.look(sheet)
        session, _ = session.look(sheet)
    if session.wanted is not None:
        raise AssertionError(f"the view {session.wanted} is never taken")
    return session.taken


def _off_mm(field: Field | None, optics: Optics) -> float:
    """How far the tops of dice all over the field seem to be off at most."""
    if field is None:
        return float("inf")
    tops = optics.project(np.column_stack((_PLACES_MM, np.full(len(_PLACES_MM), TOP_MM))))
    return float(np.linalg.norm(field.at_mm(tops, TOP_MM) - _PLACES_MM, axis=1).max())


def main(count: int = 50) -> None:
    """Print a line for each box and one for all."""
    boxes = [calibrated_box(seed) for seed in range(count)]
    for box in boxes:
        lens = box.result
        print(
            f"box {box.seed:3}  {box.result.verdict:4}  error {lens.error_px:5.3f} px  seen {lens.coverage:4.0%}  "
            f"dice tops off at most {box.off_mm:5.2f} mm, without a calibration {box.guessed_mm:5.2f} mm"
        )
    worst, median = max(box.off_mm for box in boxes), float(np.median([box.off_mm for box in boxes]))
    guessed = sorted(box.guessed_mm for box in boxes)
    print(
        f"{count} boxes calibrated: dice tops off at most {worst:.2f} mm (median {median:.2f}), without a calibration "
        f"{guessed[-1]:.2f} mm (median {guessed[count // 2]:.2f})"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
