"""A die that the map shows is not passed over because it lies on the paper of a marker."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.stage import BOX, camera
from vision.capture import Pixels
from vision.field import Places, View, locate_field, view_of
from vision.foreground import Overview, look_over
from vision.network import TILTED, Chances, MappedDice
from vision.pips import join_spots
from vision.reader.on_map import Asker
from vision.reader.scan import Scan
from vision.reader.second_look import search_by_network, see_on_map

NOTHING_READ = Scan((), (), join_spots([]), join_spots([]), ())


@cache
def empty_table() -> tuple[View, Overview]:
    pixels = camera().capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    view = view_of(pixels, field, BOX.die_mm)
    return view, look_over(view)


def seen_everywhere(crops: Pixels, _: NDArray[np.float32] | None) -> Chances:
    """A network that sees a 3 wherever it is asked."""
    return np.tile(np.eye(TILTED + 1, dtype=np.float32)[3], (len(crops), 1))


def on_paper() -> Places:
    """A place (1, 2) of the view on the paper of a marker."""
    return np.asarray(empty_table()[1].papers[0].mean(axis=0)[None], np.float64)


def asker(chance: float) -> Asker:
    """Who asks about a view whose map shows a die on a marker's paper, this likely."""
    return Asker(empty_table()[0], seen_everywhere, MappedDice(on_paper(), np.array([chance], np.float32), on_paper()))


@pytest.mark.parametrize(("chance", "asked"), [(0.95, 1), (0.7, 0)])
def test_what_the_map_finds_likely_is_asked_about_on_a_marker_too(chance: float, asked: int) -> None:
    glimpsed = see_on_map(empty_table()[1], asker(chance), ())
    assert len(glimpsed) == asked
    assert all(np.linalg.norm(place - on_paper()) < 50 for place in glimpsed)


def test_where_map_and_network_see_a_die_one_lies_though_nothing_else_is_left_there() -> None:
    over = empty_table()[1]
    assert search_by_network(over, asker(0.95), [], NOTHING_READ, on_paper()) == ((tuple(on_paper()[0]), 3),)
    assert search_by_network(over, asker(0.95), [], NOTHING_READ, np.zeros((0, 2))) == ()
