"""The network is asked where the map does not rule a die out, and nowhere else."""

import numpy as np

from tests.support.views import always_sees, view_in
from tools.scenes.random_scenes import random_scene
from vision.field.view import AROUND_MM, PX_PER_MM, View
from vision.network.classified import TILTED
from vision.network.dice_map import MappedDice
from vision.reader.region import Asker, asker_of
from vision.sim.scene import render

HERE, ALSO = (400.0, 500.0), (800.0, 300.0)


def view() -> View:
    return view_in(render(random_scene("a_two", 1).scene))


def asker(*possible: tuple[float, float]) -> Asker:
    places = np.array(possible).reshape(-1, 2)
    return Asker(view(), always_sees(3), MappedDice(places, np.ones(len(places), np.float32), places))


def test_what_the_map_rules_out_is_no_die_whatever_the_network_would_see() -> None:
    chances = asker(HERE).where_possible(np.array([HERE, ALSO]))
    assert chances.argmax(axis=1).tolist() == [3, 0]
    assert chances.sum(axis=1).tolist() == [1.0, 1.0]


def test_without_a_limit_every_place_is_asked_about() -> None:
    assert asker(HERE)(np.array([HERE, ALSO])).argmax(axis=1).tolist() == [3, 3]


def test_a_die_may_lie_a_little_beside_where_the_map_shows_it() -> None:
    places = np.array(HERE) + PX_PER_MM * np.array([(5.5, 0.0), (0.0, 6.5), (-4.0, 3.5)])
    assert asker(HERE, ALSO).are_possible(places).tolist() == [True, False, True]


def test_where_the_map_shows_nothing_nothing_is_asked() -> None:
    assert not asker().are_possible(np.array([HERE, ALSO])).any()
    assert asker().where_possible(np.array([HERE])).argmax(axis=1).tolist() == [0]
    assert asker(HERE).where_possible(np.zeros((0, 2))).shape == (0, TILTED + 1)


def test_places_of_the_map_are_told_in_the_view() -> None:
    corner, seen = np.array([[AROUND_MM, AROUND_MM]]), view()  # the far left corner of the baize
    mapped = MappedDice(corner, np.ones(1, np.float32), corner + 100.0)
    found = asker_of(seen, always_sees(3), lambda _: mapped).mapped
    assert np.allclose(found.places, seen.over_baize(np.zeros((1, 2))))
    assert np.allclose(found.possible, seen.over_baize(np.full((1, 2), 100.0)))
