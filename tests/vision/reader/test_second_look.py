"""A die that the map shows is not passed over because it lies on the paper of a marker that shows."""

from functools import cache

import numpy as np
import pytest

from tests.support.views import always_sees, view_of_table
from vision.capture.arrays import Places
from vision.field.view import View
from vision.foreground.survey import Overview, look_over
from vision.network.dice_map import MappedDice
from vision.reader.region import Asker
from vision.reader.retry import see_on_map, see_on_markers

IN_THE_OPEN = (140.0, 100.0)
NEAR_PX = 20.0  # 5 mm, within which the network looks about a place


@cache
def empty_table() -> tuple[View, Overview]:
    view = view_of_table()
    return view, look_over(view)


def on_paper() -> Places:
    """A place (1, 2) of the view on the paper about a marker, and not on the marker."""
    paper = empty_table()[1].papers[0]
    return np.asarray(0.9 * paper[:1] + 0.1 * paper.mean(axis=0), np.float64)


def asker(place: Places, chance: float, sees: int = 3) -> Asker:
    """Who asks about a view whose map shows a die at a place (1, 2), this likely."""
    mapped = MappedDice(place, np.array([chance], np.float32), place)
    return Asker(empty_table()[0], always_sees(sees), mapped)


def test_what_map_and_network_see_on_the_paper_of_a_marker_is_a_die() -> None:
    over = empty_table()[1]
    ((place, value),) = see_on_markers(over, asker(on_paper(), 0.9), ())
    assert value == 3
    assert np.linalg.norm(np.array(place) - on_paper()) < NEAR_PX
    assert len(see_on_map(over, asker(on_paper(), 0.9), ())) == 0


@pytest.mark.parametrize(("chance", "sees"), [(0.7, 3), (0.9, 0)])
def test_one_of_the_two_alone_may_take_the_marker_for_it(chance: float, sees: int) -> None:
    assert see_on_markers(empty_table()[1], asker(on_paper(), chance, sees), ()) == ()


def test_what_lies_in_the_open_is_not_told_twice() -> None:
    view, over = empty_table()
    open_place = view.over_baize(np.array([IN_THE_OPEN]))
    assert see_on_markers(over, asker(open_place, 0.9), ()) == ()
    assert len(see_on_map(over, asker(open_place, 0.9), ())) == 1
