import random
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

from hardware.sim.dice import LOOKS, DieLook
from tests.support.long import long_but_every
from tests.support.stage import BOX, RED, WHITE, Table, camera, die, thrown
from tests.support.views import view_in
from tools.scenes.random_scenes import random_scene, simulated_throw
from vision.capture.frame import Frame, Pixels
from vision.field.field import locate_field
from vision.field.view import view_of
from vision.foreground.survey import look_over
from vision.network.networks import packaged
from vision.reader.dice import find_dice
from vision.reader.reader import read_dice
from vision.reader.refusal import THING_SAY, blame_marker
from vision.reader.trace import Trace
from vision.reading import Reading, Reason, refused
from vision.sim.camera import SimulatedCamera
from vision.sim.scene import render


def reading_of(pixels: Pixels, *counts: int) -> Reading:
    return read_dice(pixels, layout=BOX.field, die_mm=BOX.die_mm, counts=frozenset(counts))


@pytest.mark.parametrize("first", long_but_every(3, [0, 10, 20]))
def test_no_throw_is_misread_and_nearly_all_are_read(first: int) -> None:
    read, wrong = 0, []
    for seed in range(first, first + 10):
        if seed % 5 == 0:
            table = Table(seed=seed)
            watching = SimulatedCamera(table, BOX)
        table.lying, table.now_s = thrown(seed, 1 + seed % 4), float(seed)
        # The first frame after the dice moved is smeared: it may be refused, but not misread.
        smeared, still = (reading_of(watching.capture().pixels) for _ in range(2))
        read += still.is_read
        truth = tuple(sorted(found.value for found in table.lying))
        wrong += [seed for reading in (smeared, still) if reading.values not in ((), truth)]
    assert wrong == []
    assert read >= 9


@pytest.mark.parametrize(
    ("look", "edge_mm"),
    # Each look in one size at once, and in the others.
    [
        pytest.param(look, edge_mm, marks=[] if place % 3 == size else pytest.mark.long)
        for place, look in enumerate(LOOKS)
        for size, edge_mm in enumerate((13.0, 16.0, 19.0))
    ],
    ids=lambda part: "-".join(map(str, part[0])) if isinstance(part, tuple) else str(part),
)
def test_every_look_and_size_is_read_with_its_place(look: tuple[tuple[int, int, int], ...], edge_mm: float) -> None:
    dice = [die(5, 90, 70, DieLook(edge_mm, look[0], look[1])), die(2, 190, 120, DieLook(edge_mm, look[0], look[1]))]
    reading = reading_of(camera(dice, 5).capture().pixels)
    assert reading.values == (2, 5)
    assert [found.value for found in reading.dice] == [5, 2]
    assert all(0 < found.confidence <= 1 for found in reading.dice)


@pytest.mark.parametrize("step", long_but_every(2, range(4)))
def test_every_value_is_read_at_every_turn(step: int) -> None:
    for value in range(1, 7):
        pixels = camera([die(value, 140, 100, angle_rad=0.4 * step)], step).capture().pixels
        assert reading_of(pixels).values == (value,)


def test_colours_are_named_and_dice_run_from_left_to_right() -> None:
    blue, black = DieLook(16.0, *LOOKS[3]), DieLook(16.0, *LOOKS[4])
    dice = [die(3, 220, 60, blue), die(4, 60, 120), die(6, 110, 70, RED), die(5, 170, 140, black)]
    found = reading_of(camera(dice, 2).capture().pixels).dice
    assert [(one.value, one.colour) for one in found] == [(4, "white"), (6, "red"), (5, "black"), (3, "blue")]


@pytest.mark.parametrize(("first", "quarters"), long_but_every(6, product((0, 2), (1, 2, 3))))
def test_a_turned_picture_shows_the_same_values(first: int, quarters: int) -> None:
    for seed in (first, first + 1):
        pixels = camera(thrown(seed, 2), seed).capture().pixels
        turned = np.ascontiguousarray(np.rot90(pixels, quarters))
        assert reading_of(turned).values == reading_of(pixels).values


@pytest.mark.parametrize(("first", "scale"), long_but_every(6, product((0, 2), (0.75, 1.5, 2.0))))
def test_a_scaled_picture_shows_the_same_values(first: int, scale: float) -> None:
    for seed in (first, first + 1):
        pixels = camera(thrown(seed, 2), seed).capture().pixels
        other = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        assert reading_of(other).values == reading_of(pixels).values


def test_the_same_picture_gives_the_same_reading() -> None:
    frame = camera(thrown(7, 3), 7).capture()
    assert reading_of(frame.pixels) == read_dice(Frame(frame.pixels, 3.0), layout=BOX.field, die_mm=BOX.die_mm)


@pytest.mark.parametrize("first", long_but_every(3, [0, 1, 2]))
def test_noise_blur_and_dim_light_give_no_wrong_value(first: int) -> None:
    for seed in range(first, 12, 3):
        rng = np.random.default_rng(seed)
        dice = thrown(seed, 2)
        clean = camera(dice, seed).capture().pixels
        pixels = clean * rng.uniform(0.4, 1.2) + rng.normal(0, 5, clean.shape)
        worse = cv2.GaussianBlur(np.clip(pixels, 0, 255).astype(np.uint8), (0, 0), 0.4 + 0.1 * (seed % 8))
        _, jpeg = cv2.imencode(".jpg", worse, [cv2.IMWRITE_JPEG_QUALITY, 60])
        reading = reading_of(np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8))
        assert reading.values in ((), tuple(sorted(one.value for one in dice)))


def test_an_empty_field_has_no_dice() -> None:
    assert reading_of(camera().capture().pixels).reason is Reason.NO_DICE


def test_without_markers_there_is_no_field() -> None:
    pixels = camera([die(4, 140, 100)]).capture().pixels
    pixels[:, :400] = pixels[:, 850:] = (60, 90, 60)
    assert reading_of(pixels).reason is Reason.NO_FIELD


def test_a_dark_picture_is_refused() -> None:
    pixels = camera([die(4, 140, 100)]).capture().pixels
    assert reading_of(pixels // 16).reason is Reason.DARK


def test_a_picture_full_of_light_is_refused() -> None:
    pixels = camera([die(4, 140, 100)]).capture().pixels
    pixels[:, 500:] = 255
    assert reading_of(pixels).reason is Reason.GLARE


def test_a_blurred_picture_is_refused() -> None:
    pixels = camera([die(4, 140, 100)]).capture().pixels
    assert reading_of(np.asarray(cv2.GaussianBlur(pixels, (0, 0), 14), np.uint8)).reason is Reason.BLURRED


def test_the_wrong_number_of_dice_is_refused() -> None:
    pixels = camera([die(4, 140, 100), die(2, 80, 80)]).capture().pixels
    assert reading_of(pixels, 2).is_read
    assert reading_of(pixels, 3).reason is Reason.TOO_FEW
    assert reading_of(pixels, 1).reason is Reason.TOO_MANY


def test_a_thing_that_is_no_die_is_refused_with_its_place() -> None:
    pixels = camera([die(4, 90, 100)], 4).capture().pixels
    cv2.ellipse(pixels, (800, 350), (34, 20), 20, 0, 360, (60, 120, 200), -1, cv2.LINE_AA)
    reading = reading_of(pixels)
    assert reading.reason is Reason.UNEXPLAINED
    assert reading.likely == ((4,),)
    assert reading.at_px == pytest.approx((800, 350), abs=15)
    assert reading_of(pixels, 1, 2).reason is Reason.UNEXPLAINED
    assert reading_of(pixels, 1).values == (4,)


def test_a_coin_is_no_die_that_cannot_be_made_out() -> None:
    pixels = camera([die(5, 90, 70)], 3).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    for reach_mm, level in ((11.5, 190), (9.5, 205), (5.0, 180)):
        turns = np.linspace(0, 2 * np.pi, 40)
        rim = np.array([200.0, 120.0]) + reach_mm * np.column_stack((np.cos(turns), np.sin(turns)))
        cv2.fillPoly(pixels, [np.round(field.at_px(rim)).astype(np.int32)], (level - 60, level - 20, level))
    reading = reading_of(pixels)
    assert (reading.reason, reading.say[:29]) == (Reason.UNEXPLAINED, "I see something on the baize ")


@pytest.mark.parametrize(("x_mm", "y_mm", "reach_px"), [(150, 100, 20), (190, 60, 23)])
def test_a_stain_of_the_size_of_a_die_is_no_die(x_mm: float, y_mm: float, reach_px: float) -> None:
    pixels = camera([die(5, 90, 70)], 3).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    x, y = field.at_px(np.array([[x_mm, y_mm]]))[0]
    stain = np.zeros(pixels.shape[:2], np.float32)
    cv2.circle(stain, (round(x), round(y)), round(reach_px), 1.0, -1, cv2.LINE_AA)
    soaked = 1 - cv2.GaussianBlur(stain, (0, 0), 2.0)[:, :, None] * np.array([0.4, 0.36, 0.28])
    reading = reading_of(np.asarray(pixels * soaked, np.uint8))
    assert reading.values == (5,) or (reading.reason, reading.say) == (Reason.UNEXPLAINED, THING_SAY)


def half_covered(number: int) -> Pixels:
    """Two dice, and a white sheet over the left half of a marker."""
    pixels = camera([die(5, 90, 100), die(2, 180, 100)], 4).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    (left, top), (_, bottom) = field.markers_mm[number].min(axis=0), field.markers_mm[number].max(axis=0)
    middle = float(field.markers_mm[number][:, 0].mean())
    sheet = np.array([(left - 4, top - 4), (middle, top - 4), (middle, bottom + 4), (left - 4, bottom + 4)])
    cv2.fillPoly(pixels, [np.round(field.at_px(sheet)).astype(np.int32)], (235, 235, 240))
    return pixels


@pytest.mark.parametrize("seed", long_but_every(2, [9500002, 9500030, 9500043]))
def test_a_key_with_a_hole_is_no_die_that_leans_or_cannot_be_made_out(seed: int) -> None:
    scene = random_scene("f_object", seed).scene
    reading = read_dice(render(scene), layout=scene.layout, die_mm=BOX.die_mm)
    assert (reading.reason, reading.say) == (Reason.UNEXPLAINED, THING_SAY)


def test_dice_are_read_though_a_marker_is_half_covered() -> None:
    assert reading_of(half_covered(1)).values == (2, 5)


@pytest.mark.parametrize(("number", "where"), [(0, "far left"), (1, "far right"), (2, "near right"), (3, "near left")])
def test_what_was_not_made_out_on_a_marker_is_told_of_the_marker(number: int, where: str) -> None:
    pixels = half_covered(number)
    field = locate_field(pixels, BOX.field)
    assert field is not None
    view = view_of(pixels, field, BOX.die_mm)
    over = look_over(view)
    x, y = over.occluded_markers[number].mean(axis=0)
    on_it = refused(Reason.UNSURE, "I see pips.", at_px=view.original(x, y))
    assert f"marker at the {where}" in blame_marker(view, over, [], on_it).say


def test_what_was_not_read_upon_a_marker_is_no_part_of_the_throw_that_is_offered() -> None:
    view = view_in(half_covered(2))
    over = look_over(view)
    face = find_dice(view, over, packaged()).faces[0]
    marker = over.occluded_markers[2].mean(axis=0)
    offered = ((2, 5), (3, 5))
    on_it = refused(Reason.UNSURE, "I see pips.", at_px=view.original(*marker), likely=offered)
    assert blame_marker(view, over, [face], on_it).likely == ((face.value,),)
    assert blame_marker(view, over, [replace(face, middle=marker)], on_it).likely == offered
    elsewhere = replace(on_it, at_px=view.original(view.size[0] / 2, view.size[1] / 2))
    assert blame_marker(view, over, [face], elsewhere).likely == offered


def test_a_covered_marker_is_told_of_dice_elsewhere_too_unless_a_die_that_was_read_covers_it() -> None:
    pixels = half_covered(2)
    field = locate_field(pixels, BOX.field)
    assert field is not None
    view = view_of(pixels, field, BOX.die_mm)
    over = look_over(view)
    face = find_dice(view, over, packaged()).faces[0]
    leans = refused(Reason.COCKED, "One die leans.", at_px=view.original(view.size[0] / 2, view.size[1] / 2))
    told = blame_marker(view, over, [face], leans)
    assert (told.reason, told.say) == (
        Reason.UNEXPLAINED,
        "The marker at the near right is covered, or half in a shadow: free it.",
    )
    x, y = view.original(*over.occluded_markers[2].mean(axis=0).tolist())
    assert told.at_px == pytest.approx((x, y), abs=1.0)

    upon = replace(face, middle=over.occluded_markers[2].mean(axis=0))
    assert blame_marker(view, over, [upon], leans) is leans
    hand = refused(Reason.HAND, "Take your hand out of the field.", at_px=leans.at_px)
    assert blame_marker(view, over, [face], hand) is hand


@pytest.mark.parametrize("apart", [0.75, 0.87, 1.0])
def test_a_six_with_close_rows_is_read(apart: float) -> None:
    look = replace(WHITE, six_pitch=apart * WHITE.pitch)
    assert reading_of(camera([die(6, 120, 90, look, 0.4)]).capture().pixels).values == (6,)


@pytest.mark.parametrize("turn", [0.1, 0.8, 1.4, 2.3])
def test_a_six_whose_pips_touch_is_read(turn: float) -> None:
    look = replace(WHITE, pip_radius=0.115, six_pitch=0.225)
    assert reading_of(camera([die(6, 120, 90, look, turn)]).capture().pixels).values == (6,)


@pytest.mark.parametrize("reach_px", [45.0, 60.0])
def test_a_lamp_mirrored_on_the_baize_may_hide_a_die(reach_px: float) -> None:
    pixels = camera([die(4, 90, 100)], 4).capture().pixels
    x, y = np.meshgrid(np.arange(1280) - 800, np.arange(720) - 350)
    halo = 500 * np.exp(-(x**2 + y**2) / (2 * reach_px**2))
    reading = reading_of(np.clip(pixels + halo[:, :, None], 0, 255).astype(np.uint8))
    assert reading.reason is Reason.GLARE
    assert reading.at_px == pytest.approx((800, 350), abs=15)


def test_a_hand_is_refused() -> None:
    pixels = camera([die(4, 90, 100)], 4).capture().pixels
    cv2.ellipse(pixels, (750, 640), (110, 260), 0, 0, 360, (130, 160, 215), -1, cv2.LINE_AA)
    assert reading_of(pixels).reason is Reason.HAND


# Throws of the simulated box that some earlier reader misread (seed, dice).
_NOW_READ = [
    *((140060004374, 5), (180010008297, 2), (180040003614, 5)),
    *((250030008126, 5), (250030000598, 2), (250030007478, 2), (250030006774, 4), (52, 6), (100, 6)),
]


@pytest.mark.parametrize(("throw", "dice"), long_but_every(4, _NOW_READ))
def test_a_throw_that_was_once_misread_is_read(throw: int, dice: int) -> None:
    pixels, truth = simulated_throw(throw, dice)
    assert reading_of(pixels).values == truth.values


@pytest.mark.parametrize(
    ("throw", "dice", "x_mm", "y_mm"),
    long_but_every(
        3,
        [
            (410000000360, 4, 248.0, 78.4),
            (410000000628, 3, 122.3, 159.5),
            (410000000333, 1, 69.1, 22.1),
            (410000000895, 1, 47.0, 150.5),
            (410000000348, 2, 195.7, 65.4),
            (410000000962, 3, 103.6, 101.2),
        ],
    ),
)
def test_a_crumb_in_the_shadow_of_a_die_or_close_to_it_is_no_one(
    throw: int, dice: int, x_mm: float, y_mm: float
) -> None:
    pixels, _ = simulated_throw(throw, dice)
    field = locate_field(pixels, BOX.field)
    assert field is not None
    column, row = field.at_px(np.array([[x_mm, y_mm]]))[0].round().astype(int).tolist()
    cv2.circle(pixels, (column, row), 5, (190, 195, 200), -1, cv2.LINE_AA)
    assert reading_of(pixels).reason in (Reason.UNSURE, Reason.UNEXPLAINED)


@pytest.mark.parametrize(
    ("category", "seed", "moving", "smear_px"),
    long_but_every(2, [("a_two", 660091, 0, 8.9), ("a_two", 660085, 0, 6.623), ("d_four", 660098, 0, 6.73)]),
)
def test_a_dark_die_whose_pips_are_smeared_away_is_not_left_out(
    category: str, seed: int, moving: int, smear_px: float
) -> None:
    scene = random_scene(category, seed).scene
    smears = tuple(smear_px if index == moving else 0.0 for index in range(len(scene.dice)))
    assert reading_of(render(replace(scene, smears_px=smears))).reason in (Reason.UNSURE, Reason.UNEXPLAINED)


def test_a_die_outside_the_field_is_refused() -> None:
    reading = reading_of(camera([die(5, 140, 100), die(3, 140, -6)]).capture().pixels)
    assert reading.reason is Reason.OFF_FIELD


@pytest.mark.parametrize("seed", long_but_every(2, [9100056, 9100066]))
def test_white_pips_on_a_clear_die_upon_the_wall_are_noticed(seed: int) -> None:
    pixels = render(random_scene("f_offfield", seed).scene)
    assert reading_of(pixels).reason is Reason.OFF_FIELD


@pytest.mark.parametrize(("y_mm", "reason"), [(8.5, None), (2.0, Reason.OFF_FIELD)])
def test_a_die_at_the_wall_is_read_and_one_upon_it_is_outside(y_mm: float, reason: Reason | None) -> None:
    reading = reading_of(camera([die(5, 140, 100), die(3, 140, y_mm, angle_rad=0.0)]).capture().pixels)
    assert reading.reason is reason


@pytest.mark.parametrize("first", long_but_every(4, range(4)))
def test_half_a_die_is_not_read_as_something_else(first: int) -> None:
    rng = random.Random(5)
    drawn = [(rng.randint(2, 6), rng.uniform(0, 6)) for _ in range(8)]
    for seed in (first, first + 4):
        value, turn = drawn[seed]
        pixels = camera([die(value, 140, 100, WHITE, turn)], seed).capture().pixels
        x, y = (round(part) for part in reading_of(pixels).dice[0].center_px)
        pixels[y - 30 : y + 30, x : x + 40] = pixels[y - 130 : y - 70, x : x + 40]
        assert not reading_of(pixels).is_read


def test_the_trace_keeps_the_stages() -> None:
    trace = Trace()
    pixels = camera([die(4, 140, 100)]).capture().pixels
    read_dice(pixels, layout=BOX.field, die_mm=BOX.die_mm, trace=trace)
    assert list(trace.pictures) == ["picture", "view", "no cloth", "pips", "faces"]
