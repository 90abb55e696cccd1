"""Scenes and their truth."""

import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.box import FieldLayout
from hardware.sim.dice import D20, LOOKS, NUMERALS, DieLook
from tests.support.long import long_but_every
from tests.support.stage import WHITE, die
from tests.support.together import together
from tools.scenes.arrangement import top_face
from tools.scenes.families import FAMILIES, mount_variously
from tools.scenes.random_scenes import CATEGORIES, READABLE, SceneTruth, random_scene, random_throw
from vision.capture.frame import Pixels
from vision.reading import Reason
from vision.sim.canvas import silhouette
from vision.sim.cloth import Cloth
from vision.sim.drawings import SYMBOLS, texture
from vision.sim.hand import Hand
from vision.sim.light import Band, Light
from vision.sim.optics import Optics
from vision.sim.scene import Scene, render
from vision.sim.sensor import Sensor
from vision.sim.solids import gap_mm, solid_of
from vision.sim.things import Thing

LAYOUT = FieldLayout()
QUIET, GREEN = Sensor(noise=0.0), Cloth()


def test_the_same_seed_gives_the_same_picture_and_another_one_another() -> None:
    one, again, other = (render(random_scene("b_touching", seed).scene) for seed in (5, 5, 6))
    assert np.array_equal(one, again)
    assert np.abs(one.astype(int) - other).mean() > 5


def test_who_paints_over_a_picture_paints_over_no_other_of_the_same_scene() -> None:
    scene = random_scene("a_two", 3).scene
    first = render(scene)
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(render(scene), kept)
    assert not np.array_equal(render(replace(scene, noise_key="later")), kept)


@pytest.mark.parametrize("category", long_but_every(3, CATEGORIES))
def test_every_category_renders_and_tells_the_truth(category: str) -> None:
    truth = random_scene(category, 11)
    pixels = render(truth.scene)
    assert pixels.shape == (720, 1280, 3)
    assert pixels.dtype == np.uint8
    assert truth.values == tuple(sorted(one.value for one in truth.dice))
    assert truth.must_refuse == (category not in (*READABLE, "f_markers"))
    assert bool(truth.acceptable) == (category not in READABLE)


@together("category", READABLE)
@together("family", FAMILIES)
def test_dice_to_be_read_lie_flat_apart_or_touching_within_the_field(category: str, family: str) -> None:
    truth = random_scene(category, 3, family=family)
    for one in truth.dice:
        solid = solid_of(one)
        assert (solid.core.min(axis=0)[:2] - solid.radius_mm > -0.1).all()
        assert (solid.core.max(axis=0)[:2] + solid.radius_mm < np.array([280.1, 200.1])).all()
        assert top_face(one).normal[2] == pytest.approx(1)
    gaps = [gap_mm(one, other) for one, other in combinations(truth.dice, 2)]
    assert all(gap >= 0 for gap in gaps)
    if category == "b_touching":
        assert sum(gap < 0.05 for gap in gaps) >= len(truth.dice) - 1
    else:
        assert all(gap > 2 for gap in gaps)


@pytest.mark.parametrize("seed", range(6))
def test_cocked_and_stacked_dice_are_what_they_are_called(seed: int) -> None:
    *_, cocked = random_scene("f_cocked", seed).dice
    assert 8 <= np.degrees(cocked.lean_rad) <= 40
    assert top_face(cocked).normal[2] == max(face.normal[2] for face in solid_of(cocked).faces)
    *lower, upper = random_scene("f_stacked", seed).dice
    assert min(abs(gap_mm(one, upper)) for one in lower) < 0.05
    assert upper.lift_mm > 10


@pytest.mark.parametrize("seed", range(6))
def test_a_die_off_the_field_is_over_its_edge_and_whole_in_the_picture(seed: int) -> None:
    scene = random_scene("f_offfield", seed).scene
    outline = silhouette(solid_of(scene.dice[-1]), scene.optics)
    assert np.min(outline) > 0
    assert (outline.max(axis=0) < (1280, 720)).all()
    places = solid_of(scene.dice[-1]).corners[:, :2]
    assert (np.min(places) < 0) or (places > (280, 200)).any()


HAND, COIN = Hand(150.0, 90.0, -1.5), Thing("coin", 150.0, 90.0, 0.3, 24.0, (190, 190, 185))
BARS = Light(bands=(Band(150.0, 90.0, 0.2, 10.0, 0.5),))


@pytest.mark.parametrize(
    "change", [{"hand": HAND}, {"things": (COIN,)}, {"light": BARS}], ids=lambda change: next(iter(change))
)
def test_hands_things_and_shadows_are_seen_where_they_are(change: dict[str, Any]) -> None:
    scene = Scene(Optics(985.0, (640.0, 360.0), (140.0, 100.0, 400.0)), LAYOUT, sensor=QUIET)
    change_px = np.abs(render(replace(scene, **change)).astype(int) - render(scene)).max(axis=2) > 12
    x, y = scene.optics.project(np.array([[150.0, 92.0, 10.0]]))[0].astype(int)
    assert change_px[y - 8 : y + 8, x - 8 : x + 8].mean() > 0.9
    assert not change_px[80:160, 250:330].any()


def test_walls_hide_the_rim_and_leave_the_baize() -> None:
    scene = Scene(
        Optics(985.0, (640.0, 360.0), (140.0, 100.0, 400.0)), LAYOUT, Cloth(rim=(230, 230, 230)), sensor=QUIET
    )
    changed = np.abs(render(replace(scene, wall_mm=20.0)).astype(int) - render(scene)).max(axis=2) > 25
    low, high = scene.optics.project(np.array([(0.0, 0.0, 0.0), (280.0, 200.0, 0.0)])).astype(int)
    assert not changed[low[1] + 3 : high[1] - 3, low[0] + 3 : high[0] - 3].any()
    assert changed[low[1] - 40 : high[1] + 40, low[0] - 40 : low[0] - 3].mean() > 0.5


def test_twelve_dice_find_room() -> None:
    assert len(random_throw(3, 12).dice) == len(random_scene("b_touching", 3, count=12).dice) == 12


def test_an_unknown_category_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no category 'g_cards': a_two, b_touching"):
        random_scene("g_cards", 1)


def ordinary(seed: int) -> SceneTruth:
    return random_throw(seed, 3) if seed % 2 else random_scene("d_four", seed)


@pytest.mark.long
def test_an_untrained_eye_sees_the_markers_of_ordinary_scenes() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    seen = 0
    for seed in range(24):
        corners, numbers, _ = detector.detectMarkers(render(ordinary(seed).scene))
        seen += len(corners)
        assert set(np.asarray(numbers).ravel().tolist()) <= {0, 1, 2, 3}
    assert seen >= 0.95 * 24 * 4


def test_missing_markers_are_not_there() -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    scene = replace(random_scene("f_empty", 2, family="club_green").scene, markers=(1, 3))
    assert sorted(np.asarray(detector.detectMarkers(render(scene))[1]).ravel().tolist()) == [1, 3]


@pytest.mark.parametrize("seed", range(5))
def test_a_camera_mounted_variously_sees_the_whole_field_and_projects_as_opencv_does(seed: int) -> None:
    optics = mount_variously(random.Random(seed), LAYOUT)
    corners = np.array([(x, y, z) for x in (0.0, 280.0) for y in (0.0, 200.0) for z in (0.0, 16.0)])
    seen = optics.project(corners)
    assert (seen[corners[:, 2] == 0] > 0).all()
    assert (seen[corners[:, 2] == 0] < (1280, 720)).all()
    assert seen == pytest.approx(as_opencv(optics, corners), abs=1e-6)
    back = optics.lift(seen[corners[:, 2] == 0])
    assert back == pytest.approx(corners[corners[:, 2] == 0][:, :2], abs=1e-3)


def as_opencv(optics: Optics, points: np.ndarray) -> np.ndarray:
    """OpenCV's own projection; its z axis goes away from the camera, ours goes up."""
    x, y, height = optics.pinhole_mm
    away = np.column_stack((points[:, 0] - x, points[:, 1] - y, height - points[:, 2]))
    turn, _ = cv2.Rodrigues(optics.turn)
    lens = np.array([[optics.focal_px, 0, optics.centre_px[0]], [0, optics.focal_px, optics.centre_px[1]], [0, 0, 1]])
    seen, _ = cv2.projectPoints(away, turn, np.zeros(3), lens, np.array(optics.distortion))
    return np.asarray(seen).reshape(-1, 2)


def test_a_table_is_painted_where_the_lens_sees_it() -> None:
    optics = mount_variously(random.Random(4), LAYOUT)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, numbers, _ = detector.detectMarkers(render(Scene(optics, LAYOUT, sensor=QUIET)))
    places = {0: (13.0, 13.0), 1: (267.0, 13.0), 2: (267.0, 187.0), 3: (13.0, 187.0)}
    for found, number in zip(corners, map(int, np.asarray(numbers).ravel()), strict=True):
        expected = optics.project(np.array([[*places[number], 0.0]]))[0]
        assert found[0].mean(axis=0) == pytest.approx(expected, abs=1.0)


def close_up(look: DieLook, value: int, cloth: Cloth = GREEN) -> Pixels:
    scene = Scene(Optics(3000.0, (60.0, 60.0), (140.0, 100.0, 400.0)), LAYOUT, cloth, sensor=QUIET, size_px=(120, 120))
    return render(replace(scene, dice=(die(value, 140, 100, look, 0.0),)))


def middle_of(look: DieLook, cloth: Cloth) -> float:
    return float(close_up(look, 2, cloth)[45:75, 45:75].mean())


@together("value", range(1, 7))
@together("drilled", [False, True])
def test_the_top_face_bears_as_many_pips_as_its_value(value: int, drilled: bool) -> None:
    grey = cv2.cvtColor(close_up(replace(WHITE, drilled=drilled), value), cv2.COLOR_BGR2GRAY)
    dark = np.asarray(grey[10:110, 10:110] < 110, np.uint8)
    count, _, sizes, _ = cv2.connectedComponentsWithStats(dark)
    assert sum(20 < size < 2000 for size in sizes[1:count, cv2.CC_STAT_AREA]) == value


def test_every_drawing_is_another_one() -> None:
    names = [*NUMERALS, *D20, *(f"pip:{value}" for value in range(1, 7)), *SYMBOLS, "numeral:6.", "numeral:9"]
    drawn = {name: texture(WHITE, name).colour.tobytes() for name in names}
    assert len(set(drawn.values())) == len(drawn)


def test_a_drawing_nobody_knows_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no drawing 'pip:7'"):
        texture(WHITE, "pip:7")


def test_a_translucent_die_lets_the_baize_through_and_a_glossy_one_shines() -> None:
    red = DieLook(16.0, *LOOKS[2])
    gem = replace(red, material="translucent")
    assert middle_of(red, Cloth(colour=(220, 220, 220))) == pytest.approx(middle_of(red, Cloth()), abs=1)
    assert middle_of(gem, Cloth(colour=(220, 220, 220))) > middle_of(gem, Cloth()) + 15
    assert close_up(replace(red, gloss=1.0), 2).astype(int).sum() > close_up(red, 2).astype(int).sum()


@pytest.mark.parametrize("category", ["f_dark", "f_glare", "f_blur"])
def test_trouble_with_the_light_spoils_the_picture(category: str) -> None:
    for seed in range(3):
        truth = random_scene(category, seed)
        grey = cv2.cvtColor(render(truth.scene), cv2.COLOR_BGR2GRAY)
        if category == "f_dark":
            assert truth.acceptable == (Reason.DARK,)
            assert grey.mean() < 12
        elif category == "f_glare":
            assert np.mean(grey > 240) > 0.002
        else:
            assert cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 2.0), cv2.CV_32F).std() < 2.5
