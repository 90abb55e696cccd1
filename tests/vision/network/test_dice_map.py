"""The map shows dice wherever they lie, those in the colour of the cloth as well, and hardly anything else."""

import math
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.box import FieldLayout
from tools.scenes.arrangement import top_face
from tools.scenes.random_scenes import random_scene
from vision.capture.frame import Pixels
from vision.field.field import Field, locate_field
from vision.field.view import AROUND_MM, look_around, view_of
from vision.network.dice_map import MAP_STRIDE_PX, dice_map, map_planes
from vision.sim.scene import Scene, render

_NEAR_PX = 6.0


def camouflaged(seed: int) -> Scene:
    """A scene in which all dice have exactly the colour of the cloth."""
    scene = random_scene("d_four", seed).scene
    dice = (replace(die, look=replace(die.look, body=scene.cloth.colour, gloss=0.0)) for die in scene.dice)
    return replace(scene, dice=tuple(dice))


def seen_from_above(scene: Scene) -> tuple[Pixels, Field]:
    picture = render(scene)
    field = locate_field(picture, FieldLayout())
    assert field is not None
    return look_around(view_of(picture, field, 16.0)), field


def tops(scene: Scene, field: Field) -> NDArray[np.float64]:
    """Where the middles of the tops are seen from straight above, (n, 2) px."""
    seen = np.array([scene.optics.project(top_face(die).middle[None])[0] for die in scene.dice])
    return np.asarray(field.at_mm(seen, 0.0) + AROUND_MM, np.float64)


def likely(pixels: Pixels) -> NDArray[np.float64]:
    """The places (n, 2) of the map where dice are likely."""
    mapped = dice_map().find(pixels)
    return mapped.places[mapped.chances > 0.8]


@pytest.mark.parametrize("seed", [3, 7, 11])
def test_every_die_of_the_colour_of_the_cloth_is_on_the_map(seed: int) -> None:
    scene = camouflaged(seed)
    pixels, field = seen_from_above(scene)
    found = likely(pixels)
    away = np.linalg.norm(tops(scene, field)[:, None] - found, axis=2)
    assert (away.min(axis=1) < _NEAR_PX).all()


@pytest.mark.parametrize("category", ["f_empty", "f_object"])
def test_what_is_no_die_is_mostly_not_on_the_map(category: str) -> None:
    others = 0
    for seed in range(6):
        scene = random_scene(category, seed).scene
        pixels, field = seen_from_above(scene)
        places = likely(pixels)
        away = np.linalg.norm(places[:, None] - tops(scene, field).reshape(-1, 2), axis=2)
        others += int((away.min(axis=1, initial=np.inf) > 2 * _NEAR_PX).sum())
    assert others <= 6


def test_a_map_has_a_chance_for_each_square() -> None:
    pixels, _ = seen_from_above(camouflaged(3))
    chances = dice_map().chances(pixels)
    assert chances.shape == tuple(side // MAP_STRIDE_PX for side in pixels.shape[:2])
    assert chances.min() >= 0
    assert chances.max() <= 1


def test_a_place_is_told_for_each_likely_square_the_likeliest_first() -> None:
    pixels, _ = seen_from_above(camouflaged(3))
    chances, mapped = dice_map().chances(pixels), dice_map().find(pixels)
    rows, columns = np.nonzero(chances > 0.3)
    best = np.argsort(-chances[rows, columns], kind="stable")
    middles = (np.column_stack((columns, rows))[best] + 0.5) * MAP_STRIDE_PX - 0.5
    assert (np.abs(mapped.places - middles) <= MAP_STRIDE_PX / 2).all()
    # Squares beside a die are told with its chance.
    own = chances[rows, columns][best]
    assert (mapped.chances >= own).all()
    assert (mapped.chances > own).any()
    assert np.isin(mapped.chances, chances).all()


def test_the_place_of_a_die_is_told_finer_than_by_squares() -> None:
    off: list[tuple[float, float]] = []
    for seed in range(8):
        scene = random_scene("d_four", seed).scene
        pixels, field = seen_from_above(scene)
        chances, places = dice_map().chances(pixels), dice_map().find(pixels).places
        columns, rows = np.rint((places + 0.5) / MAP_STRIDE_PX - 0.5).astype(int).T
        middles = (np.column_stack((columns, rows)) + 0.5) * MAP_STRIDE_PX - 0.5
        for die in scene.dice:
            seen = scene.optics.project(np.array([[die.x_mm, die.y_mm, 0.69 * die.look.edge_mm]]))
            at = field.at_mm(seen, 0.0)[0] + AROUND_MM
            near = np.flatnonzero(np.linalg.norm(places - at, axis=1) < _NEAR_PX)
            best = near[chances[rows[near], columns[near]].argmax()]
            off.append((math.dist(places[best], at), math.dist(middles[best], at)))
    finer, by_squares = np.mean(np.square(off), axis=0)
    assert len(off) == 32
    assert finer < 0.5 * by_squares


def test_lamp_and_cloth_hardly_matter() -> None:
    pixels = np.random.default_rng(1).integers(60, 180, (80, 120, 3)).astype(np.uint8)
    dimmer = (pixels * 0.6).astype(np.uint8)
    assert np.abs(map_planes(pixels) - map_planes(dimmer)).max() < 0.4


def test_a_plain_cloth_is_nothing_to_look_at_whatever_its_colour() -> None:
    for colour in ((0, 0, 0), (20, 90, 40), (255, 255, 255)):
        plain = np.full((82, 121, 3), colour, np.uint8)
        assert map_planes(plain).shape == (3, 80, 120)
        assert np.abs(map_planes(plain)).max() < 1e-3
        assert len(dice_map().find(plain).places) == 0


def test_the_weights_stay_small() -> None:
    assert len(resources.files("vision.network").joinpath("map.onnx").read_bytes()) < 150_000
