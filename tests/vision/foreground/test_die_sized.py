"""Things of a die's size in a picture without a field: those that were read, and those that explain themselves not."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.reader.unread_things import find_die_sized

EDGE = 40.0


def table(size: int = 600, noise: float = 2.0) -> Pixels:
    rng = np.random.default_rng(1)
    return np.clip(rng.normal(200.0, noise, (size, size, 3)), 0, 255).astype(np.uint8)


def with_square(pixels: Pixels, x: int, y: int, edge: float = EDGE, level: int = 60) -> Pixels:
    half = round(edge / 2)
    cv2.rectangle(pixels, (x - half, y - half), (x + half, y + half), (level, level, level), -1)
    return pixels


def corners(middle: tuple[float, float], turn_rad: float = 0.3) -> NDArray[np.float64]:
    turns = turn_rad + np.pi / 4 + np.arange(4) * np.pi / 2
    return np.asarray(middle + EDGE / np.sqrt(2) * np.column_stack((np.cos(turns), np.sin(turns))), np.float64)


def found(pixels: Pixels, *dice: tuple[float, float]) -> list[tuple[int, int]]:
    things = find_die_sized(pixels, EDGE, [corners(die) for die in dice])
    return sorted((round(float(x) / 10) * 10, round(float(y) / 10) * 10) for x, y in things.at)


def test_what_is_no_read_die_is_found_where_it_lies() -> None:
    picture = with_square(with_square(table(), 150, 200), 400, 300)
    assert found(picture) == [(150, 200), (400, 300)]
    assert found(picture, (150.0, 200.0)) == [(400, 300)]
    assert found(picture, (152.0, 195.0), (400.0, 300.0)) == []


def test_a_die_that_touches_one_that_was_read_is_found() -> None:
    picture = with_square(with_square(table(), 300, 300), 300 + round(EDGE) + 8, 300)
    assert len(found(picture, (300.0, 300.0))) == 1


@pytest.mark.parametrize(("noise", "seen"), [(2.0, 1), (40.0, 0)])
def test_two_dice_that_touch_are_found_as_one_thing_on_a_plain_table(noise: float, seen: int) -> None:
    pixels = table(noise=noise)
    cv2.rectangle(pixels, (250, 280), (250 + round(2.8 * EDGE), 320), (60, 60, 60), -1)
    assert len(found(pixels)) == seen


@pytest.mark.parametrize("edge", [0.3, 4.6])
def test_what_is_much_smaller_or_larger_is_none(edge: float) -> None:
    assert found(with_square(table(), 300, 300, edge * EDGE)) == []


def test_what_the_border_cuts_is_none() -> None:
    assert found(with_square(table(), 5, 300)) == []


def test_what_is_hardly_darker_than_the_table_is_none() -> None:
    assert found(with_square(table(), 300, 300, level=190)) == []


@pytest.mark.parametrize(("noise", "plain"), [(2.0, True), (40.0, False)])
def test_it_says_whether_the_table_is_plain(noise: float, plain: bool) -> None:
    assert find_die_sized(table(noise=noise), 12.0, []).on_plain is plain


def cut(pixels: Pixels) -> list[tuple[int, int]]:
    things = find_die_sized(pixels, EDGE, []).cut
    assert all(thing.shows(np.full(3, 60.0), 40.0) > 0.5 > thing.shows(np.full(3, 200.0), 30.0) for thing in things)
    return [(round(float(x)), round(float(y))) for x, y in (thing.at for thing in things)]


@pytest.mark.parametrize(("x", "shown"), [(-17, 4), (-8, 13), (5, 26)])
def test_what_the_border_cuts_is_told_by_itself_with_its_colours(x: int, shown: int) -> None:
    told = cut(with_square(table(), x, 300))
    assert len(told) == (shown > 10)
    assert all(abs(x - shown / 2) < 4 and abs(y - 300) < 4 for x, y in told)


def test_what_the_border_cuts_is_no_die_where_it_is_larger() -> None:
    assert cut(with_square(table(), 20, 300, 2.5 * EDGE)) == []


@pytest.mark.parametrize(("tall_px", "told"), [(14, 0), (40, 1)])
def test_a_sliver_at_the_border_is_no_die(tall_px: int, told: int) -> None:
    pixels = table()
    cv2.rectangle(pixels, (0, 300), (12, 300 + tall_px), (60, 60, 60), -1)
    assert len(cut(pixels)) == told


def test_the_body_of_a_die_seen_from_aside_lies_beside_its_face() -> None:
    pixels = with_square(table(), 300, 300)
    pixels = with_square(pixels, 300, 300 + round(EDGE / 2))
    (body,) = find_die_sized(pixels, EDGE, [corners((300, 300), 0.0)]).bodies
    assert body == pytest.approx((0.0, 0.25), abs=0.06)
    (bare,) = find_die_sized(table(), EDGE, [corners((300, 300), 0.0)]).bodies
    assert bare.tolist() == [0.0, 0.0]


def test_places_lie_all_over_what_stands_out_but_for_the_dice() -> None:
    pixels = with_square(with_square(table(), 300, 300, 3 * EDGE), 120, 120)
    places = find_die_sized(pixels, EDGE, [corners((120, 120), 0.0)]).anywhere
    assert np.linalg.norm(places - (120, 120), axis=1).min() > 0.3 * EDGE
    wanted = np.array([(x, y) for x in (270, 300, 330) for y in (270, 300, 330)])
    assert np.linalg.norm(places[:, None] - wanted, axis=2).min(axis=0).max() < 0.2 * EDGE
