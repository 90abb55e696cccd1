"""A die that the map shows is not passed over because it lies on the paper of a marker that shows."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.stage import BOX, camera
from vision.capture import Pixels
from vision.field import Places, View, locate_field, view_of
from vision.foreground import Overview, look_over
from vision.network import TILTED, Chances, MappedDice
from vision.reader.on_map import Asker
from vision.reader.second_look import see_on_map, see_on_markers

IN_THE_OPEN = (140.0, 100.0)
NEAR_PX = 20.0  # 5 mm, within which the network looks about a place


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


def seen_nowhere(crops: Pixels, _: NDArray[np.float32] | None) -> Chances:
    return np.tile(np.eye(TILTED + 1, dtype=np.float32)[0], (len(crops), 1))


def on_paper() -> Places:
    """A place (1, 2) of the view on the paper about a marker, and not on the marker."""
    paper = empty_table()[1].papers[0]
    return np.asarray(0.9 * paper[:1] + 0.1 * paper.mean(axis=0), np.float64)


def asker(place: Places, chance: float, *, sees: bool = True) -> Asker:
    """Who asks about a view whose map shows a die at a place (1, 2), this likely."""
    mapped = MappedDice(place, np.array([chance], np.float32), place)
    return Asker(empty_table()[0], seen_everywhere if sees else seen_nowhere, mapped)


def test_what_map_and_network_see_on_the_paper_of_a_marker_is_a_die() -> None:
    over = empty_table()[1]
    ((place, value),) = see_on_markers(over, asker(on_paper(), 0.9), ())
    assert value == 3
    assert np.linalg.norm(np.array(place) - on_paper()) < NEAR_PX
    assert len(see_on_map(over, asker(on_paper(), 0.9), ())) == 0


@pytest.mark.parametrize(("chance", "sees"), [(0.7, True), (0.9, False)])
def test_one_of_the_two_alone_may_take_the_marker_for_it(chance: float, sees: bool) -> None:
    assert see_on_markers(empty_table()[1], asker(on_paper(), chance, sees=sees), ()) == ()


def test_what_lies_in_the_open_is_not_told_twice() -> None:
    view, over = empty_table()
    open_place = view.over_baize(np.array([IN_THE_OPEN]))
    assert see_on_markers(over, asker(open_place, 0.9), ()) == ()
    assert len(see_on_map(over, asker(open_place, 0.9), ())) == 1
