"""What the camera of a box sees, as it is built: the markers where they must be, the whole field, and dice to read."""

import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("build123d", reason="needs build123d: make setup-cad")
pytest.importorskip("mujoco", reason="needs mujoco: make lanes")

from controller.cli.read import PictureQuestion, PictureReader
from hardware.cad.assembly import Pose
from hardware.cad.measures import BAIZE_Z_MM, Measures
from hardware.column import TRAVEL_DEG
from tests.cad.boxes import bodies_of
from tests.cad.scene import CARD_MM, Floats, LyingDie, Stage, open_window, throw
from tests.support.long import long_but_every
from vision.field.field import locate_field
from vision.field.markers import find_markers
from vision.field.pose import marker_corners_mm

THROWS = 6
# Of the view: a millimetre is two and a half pixels.
MARKER_PX, DIE_PX = 1.5, 3.0


@pytest.fixture(scope="module", params=["two-level-9", pytest.param("classic-9", marks=pytest.mark.long)])
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    try:
        open_window(8, 8).free()
    except OSError as error:
        pytest.skip(str(error))
    opened = Stage(bodies_of(request.param).kit)
    yield opened
    opened.close()


def tiles_at(measures: Measures, angle_deg: float) -> Pose:
    return Pose(tiles=dict.fromkeys(measures.box.tile_ids, angle_deg))


def in_box(measures: Measures, places_mm: Floats, height_mm: float) -> Floats:
    """Map places (n, 2) on the field, from its far left corner, to places (n, 3) in the box."""
    across = places_mm[:, 0] - measures.field_mm[0] / 2
    back = measures.field_y_mm[1] - places_mm[:, 1]
    return np.column_stack((across, back, np.full(len(across), BAIZE_Z_MM + height_mm)))


def test_the_markers_are_where_the_measures_put_them(stage: Stage) -> None:
    measures, layout = stage.kit.measures, stage.kit.measures.box.field
    stage.pose(Pose())
    stage.lay(())
    picture = stage.picture()
    found = find_markers(picture)
    off_px = {}
    for number, corners in found.items():
        places = marker_corners_mm(number, layout, layout.marker_margin_mm)
        expected = stage.to_px(in_box(measures, places, CARD_MM))
        off_px[number] = float(np.linalg.norm(corners - expected, axis=1).max())
    field = locate_field(picture, layout)
    assert field is not None
    print(f"{measures.box.name}: markers off by {off_px} px, camera at {field.camera_mm.round(1)} mm")
    assert sorted(off_px) == [0, 1, 2, 3]
    assert max(off_px.values()) < MARKER_PX
    assert field.camera_mm == pytest.approx((layout.width_mm / 2, layout.depth_mm / 2, measures.camera_mm), abs=4.0)


@pytest.mark.parametrize("angle_deg", long_but_every(3, [0.0, TRAVEL_DEG / 2, TRAVEL_DEG]))
def test_nothing_hides_any_part_of_the_field(stage: Stage, angle_deg: float) -> None:
    measures = stage.kit.measures
    wide, deep = measures.field_mm
    stage.pose(tiles_at(measures, angle_deg))
    stage.lay(())
    seen = stage.seen()
    corners = stage.to_px(in_box(measures, np.array([(0.0, 0.0), (wide, deep)]), 0.0))
    (left, upper), (right, lower) = corners.tolist()
    assert left >= 0
    assert upper >= 0
    assert right <= seen.shape[1] - 1
    assert lower <= seen.shape[0] - 1
    # The pixels that show nothing but the field.
    inside = seen[int(upper) + 2 : int(lower) - 1, int(left) + 2 : int(right) - 1]
    assert set(inside.ravel().tolist()) == {"baize", *(f"marker-{number}" for number in range(4))}


def check_reading(stage: Stage, dice: Sequence[LyingDie], file: Path, seed: int) -> None:
    """Read the camera's picture of these dice as `shutbox read` does: each must be read where it lies, and no other."""
    measures = stage.kit.measures
    stage.lay(dice)
    cv2.imwrite(str(file), stage.picture(seed))
    answer = PictureReader(measures.box, time.perf_counter).answer(PictureQuestion(file=str(file)))
    assert answer["verdict"] == "read", answer
    assert answer["values"] == sorted(die.value for die in dice)
    middles = np.array([(die.x_mm, die.y_mm, BAIZE_Z_MM + measures.die_mm) for die in dice])
    read_px = np.array([die["center_px"] for die in answer["dice"]])
    for die, at_px in zip(dice, stage.to_px(middles), strict=True):
        off_px = np.linalg.norm(read_px - at_px, axis=1)
        assert off_px.min() < DIE_PX
        assert answer["dice"][int(off_px.argmin())]["value"] == die.value


@pytest.mark.parametrize("seed", long_but_every(THROWS, range(THROWS)))
def test_dice_are_read_exactly(stage: Stage, seed: int, tmp_path: Path) -> None:
    measures = stage.kit.measures
    stage.pose(tiles_at(measures, TRAVEL_DEG if seed % 2 else 0.0))
    check_reading(stage, throw(measures, seed, 1 + seed % 4), tmp_path / "picture.png", seed)


def test_dice_that_lie_at_the_walls_and_at_the_step_are_read(stage: Stage, tmp_path: Path) -> None:
    measures = stage.kit.measures
    (near, far), half = measures.field_y_mm, measures.inside_mm[0] / 2
    beside, middle = measures.die_mm / 2 + 0.1, (near + far) / 2
    dice = (
        LyingDie(3, -60.0, near + beside, 0.0),
        LyingDie(6, 40.0, far - beside, math.pi / 2),
        LyingDie(5, beside - half, middle - 20.0, math.pi),
        LyingDie(2, half - beside, middle + 10.0, 0.0),
    )
    stage.pose(Pose())
    check_reading(stage, dice, tmp_path / "picture.png", 0)


def test_what_lies_over_the_field_would_be_seen_to_hide_it(stage: Stage) -> None:
    dice = throw(stage.kit.measures, 1, 3)
    stage.lay(dice)
    seen = stage.seen()
    for number, die in enumerate(dice, 1):
        ((x, y),) = stage.to_px(np.array([(die.x_mm, die.y_mm, BAIZE_Z_MM + stage.kit.measures.die_mm)]))
        assert seen[round(y), round(x)] == f"die {number}"
