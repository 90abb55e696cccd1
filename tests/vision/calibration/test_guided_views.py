import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.box import load_box
from tools.benchmarks.camera import calibrated_box
from vision.calibration import sheets
from vision.calibration.guided_views import VIEWS, Problem, SheetViews
from vision.calibration.measure import measure_lens
from vision.calibration.sheets import SheetView, find_sheet, write_sheets
from vision.capture.frame import Pixels
from vision.field.lens import Lens
from vision.sim.calibration_sheet import draw_sheet, hold_as
from vision.sim.optics import Optics

BOX = load_box("two-level-9")
SIZE = (1280, 720)
OPTICS = Optics(1050.0, (640.0, 360.0), (140.0, 100.0, 400.0), (0.02, -0.03, 0.01), (-0.05, 0.01, 0.0, 0.0, 0.0))
BAIZE = np.full((720, 1280, 3), (60, 100, 50), np.uint8)


def pictured(number: int) -> Pixels:
    return draw_sheet(BAIZE, hold_as(VIEWS[number], OPTICS, SIZE, random.Random(number)), OPTICS)


@cache
def seen(number: int) -> SheetView:
    view = find_sheet(pictured(number))
    assert view is not None
    return view


def problem(session: SheetViews, view: SheetView | None, *, dark: bool = False) -> Problem | None:
    return session.look(view, dark=dark)[1].problem


def test_a_good_view_is_taken_when_it_is_held_still() -> None:
    session, advice = SheetViews(*SIZE).look(seen(0))
    assert (advice.problem, len(session.taken)) == ("moving", 0)
    session, advice = session.look(seen(0))
    assert (advice.problem, len(session.taken)) == (None, 1)


def test_every_view_is_taken_as_it_is_asked_for_and_only_then() -> None:
    session = SheetViews(*SIZE)
    for number in range(len(VIEWS)):
        for other in range(number + 1, len(VIEWS)):
            if VIEWS[other].kind == "lean" and VIEWS[number].kind == "lean":
                assert problem(session, seen(other)) == "otherwise"
        session, advice = session.look(seen(number))
        assert advice.problem == "moving", VIEWS[number]
        session, _ = session.look(seen(number))
    assert session.wanted is None


def test_what_is_wrong_with_a_view_is_said() -> None:
    session = SheetViews(*SIZE).take(seen(0))
    good, partly = seen(1), pictured(1)
    partly[:, :500] = BAIZE[:, :500]
    assert problem(session, None) == "unseen"
    assert problem(session, None, dark=True) == "dark"
    assert problem(session, find_sheet(np.asarray(pictured(1) // 6, np.uint8))) == "dark"
    assert problem(session, find_sheet(partly)) == "partly"
    assert problem(session, find_sheet(np.asarray(cv2.GaussianBlur(pictured(1), (0, 0), 2.6), np.uint8))) == "blurred"
    assert problem(session, seen(0)) == "alike"
    assert problem(session, replace(good, corners_px=good.corners_px + 0.5)) != "alike"


def test_fewer_than_eight_views_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="8 to 40"):
        SheetViews(*SIZE, 7)


LENS = Lens(*SIZE, 1050.0, (636.0, 362.0), (-0.06, 0.02))


def shot(place: tuple[float, float, float], turn: tuple[float, float, float], noise_px: float, seed: int) -> SheetView:
    """The sheet's corners through LENS, with noise."""
    turned = np.asarray(cv2.Rodrigues(np.array(turn))[0], np.float64)
    flat = sheets.corners_mm() - (sheets.WIDTH_MM / 2, sheets.DEPTH_MM / 2)
    points = np.column_stack((flat, np.zeros(len(flat)))) @ turned.T + place
    noise = np.random.default_rng(seed).normal(0, noise_px, flat.shape)
    return SheetView(np.arange(len(flat)), LENS.to_px(points[:, :2] / points[:, 2:]) + noise, 180.0, 0.6)


VARIED = (
    ((0.0, 0.0, 390.0), (0.0, 0.0, 0.0)),
    *(((0.0, 0.0, 380.0), turn) for turn in ((0.4, 0.0, 0.0), (-0.4, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, -0.4, 0.0))),
    *(((x, y, 390.0), (0.0, 0.0, 0.05)) for x in (-95.0, 95.0) for y in (-50.0, 50.0)),
    ((0.0, 0.0, 310.0), (0.1, 0.1, 0.0)),
)


def views(noise_px: float, count: int = len(VARIED)) -> list[SheetView]:
    return [shot(place, turn, noise_px, seed) for seed, (place, turn) in enumerate(VARIED[:count])]


def test_sharp_views_all_over_the_picture_are_good_and_give_the_lens() -> None:
    result = measure_lens(views(0.1), *SIZE)
    assert result.verdict == "good"
    assert result.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.003)
    assert result.lens.radial[0] == pytest.approx(LENS.radial[0], abs=0.01)


@pytest.mark.parametrize(
    "poor",
    [
        views(0.1, 9)[2:],
        views(1.2),
        [shot((seed, 0.0, 380.0), (0.0, 0.0, 0.01 * seed), 0.1, seed) for seed in range(8)],
    ],
    ids=["too few", "blurred", "too alike"],
)
def test_poor_views_are_called_poor(poor: list[SheetView]) -> None:
    assert measure_lens(poor, *SIZE).verdict == "poor"


def test_a_calibrated_box_places_the_tops_of_dice_within_two_millimetres() -> None:
    box = calibrated_box(5)
    assert box.result.verdict == "good"
    assert box.off_mm < 2.0


def test_the_printed_squares_are_opencvs_board() -> None:
    board = cv2.aruco.CharucoBoard((9, 6), 26.0, 19.5, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    drawn = np.full((336, 504), 255, np.uint8)
    for left, upper, right, lower in sheets.black_squares():
        drawn[round(upper * 56 / 26) : round(lower * 56 / 26), round(left * 56 / 26) : round(right * 56 / 26)] = 0
    assert np.array_equal(drawn, board.generateImage((504, 336)))


def test_the_sheets_are_a4_in_true_scale(tmp_path: Path) -> None:
    files = write_sheets(tmp_path, BOX)
    for file in files:
        data = file.read_bytes()
        assert data.startswith(b"%PDF-")
        assert b"/MediaBox [ 0 0 841.8898 595.2756 ]" in data
    before = files[0].read_bytes()
    assert write_sheets(tmp_path, BOX)[0].read_bytes() == before
