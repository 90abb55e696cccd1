"""What was not read as a die and may be one, and dice that were read from their sides."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.stage import RED, camera, die
from vision.network.classified import ClassifiedFace, classify_faces
from vision.network.network import anywhere_network
from vision.reader import unread_things
from vision.reader.scales import Look, rank_looks, usual_edge
from vision.reader.unread_things import ClassifiedPlaces, DieSized, classify_places, refuse_unread_things
from vision.reader.whole_picture import _without_single_pips


@cache
def seen() -> tuple[Look, list[ClassifiedFace]]:
    dice = tuple(die(value, x, y, RED) for value, x, y in ((4, 140, 100), (5, 100, 70), (2, 180, 80)))
    look = rank_looks(camera(dice).capture().pixels[160:480, 430:800])[0]
    return look, classify_faces(anywhere_network().classify, look.pixels, look.faces, 0.3)[0]


def places(away_edges: float, **chances: float) -> ClassifiedPlaces:
    """One place so far from the first die, with these chances of none, of a 3 and of a die that is not read."""
    face = seen()[1][0].face
    row = np.zeros((1, 8), np.float32)
    row[0, [0, 3, 7]] = chances.get("none", 0.0), chances.get("three", 0.0), chances.get("other", 0.0)
    return ClassifiedPlaces(face.middle[None] + (0.0, away_edges * face.edge_px), row)


@pytest.mark.parametrize(
    ("away", "three", "other", "none"),
    [(0.2, 0.9, 0.0, 1.0), (0.7, 0.9, 0.0, 0.1), (0.7, 0.0, 0.9, 1.0), (1.2, 0.0, 0.9, 0.1), (1.2, 0.9, 0.0, 0.1)],
)
def test_beside_a_die_its_side_is_none_but_another_value_is_a_die(
    away: float, three: float, other: float, none: float
) -> None:
    found = places(away, none=0.1, three=three, other=other)
    assert found.chances_of_none(seen()[1][:1]) == pytest.approx([none], abs=1e-6)
    assert len(found.most_like_dice(seen()[1][:1])) == (none < 0.5)


def test_all_dice_of_the_picture_were_read() -> None:
    assert sorted(one.face.value for one in seen()[1]) == [2, 4, 5]
    nowhere = classify_places(seen()[0], anywhere_network().classify, seen()[1], np.zeros((0, 2)))
    assert refuse_unread_things(seen()[0], anywhere_network().classify, seen()[1], nowhere) is None


def things(*bodies: tuple[float, float]) -> DieSized:
    return DieSized(np.zeros((0, 2)), True, np.zeros((0, 2)), (), np.array(bodies))


@pytest.mark.parametrize(
    ("bodies", "refuses"),
    [
        (((0.0, 0.2), (0.1, 0.3), (0.0, -0.3)), True),
        (((0.0, 0.2), (0.1, 0.3), (0.0, -0.2)), False),
        (((0.0, 0.1), (0.0, 0.1), (0.0, -0.5)), False),
        (((0.3, 0.0), (0.3, 0.1), (0.2, 0.3)), False),
    ],
)
def test_a_die_whose_body_lies_the_other_way_was_read_from_its_side(
    monkeypatch: pytest.MonkeyPatch, bodies: tuple[tuple[float, float], ...], refuses: bool
) -> None:
    """bodies: of each die where its body lies from its face, in edges."""
    monkeypatch.setattr(unread_things, "find_die_sized", lambda *_: things(*bodies))
    nowhere = classify_places(seen()[0], anywhere_network().classify, seen()[1], np.zeros((0, 2)))
    refusal = refuse_unread_things(seen()[0], anywhere_network().classify, seen()[1], nowhere)
    assert (refusal is not None) == refuses
    assert refusal is None or "the top of a die from its side" in refusal.say


@pytest.mark.parametrize("on_plain", [True, False])
@pytest.mark.parametrize(("off_edges", "refuses"), [(0.0, True), (1.6, False)])
def test_a_thing_that_is_surely_a_die_refuses_the_picture_on_any_table(
    monkeypatch: pytest.MonkeyPatch, off_edges: float, refuses: bool, on_plain: bool
) -> None:
    read, lost = seen()[1][:2], seen()[1][2].face
    found = DieSized(
        lost.middle[None] + (0.0, off_edges * lost.edge_px), on_plain, np.zeros((0, 2)), (), np.zeros((2, 2))
    )
    monkeypatch.setattr(unread_things, "find_die_sized", lambda *_: found)
    nowhere = classify_places(seen()[0], anywhere_network().classify, read, np.zeros((0, 2)))
    refusal = refuse_unread_things(seen()[0], anywhere_network().classify, read, nowhere)
    assert (refusal is not None) == refuses


@pytest.mark.parametrize(
    ("on_a_die", "three", "five", "other", "refuses"),
    [
        (False, 0.6, 0.1, 0.3, False),
        (True, 0.6, 0.1, 0.3, True),
        (False, 0.7, 0.0, 0.2, True),
        (False, 0.5, 0.4, 0.0, True),
        (False, 0.5, 0.1, 0.4, True),
    ],
)
def test_what_shows_no_pips_is_no_die_unless_the_network_is_sure(
    monkeypatch: pytest.MonkeyPatch, on_a_die: bool, three: float, five: float, other: float, refuses: bool
) -> None:
    """on_a_die: the place is that of a die that was not read, else bare cloth."""
    read, lost = seen()[1][:2], seen()[1][2].face
    monkeypatch.setattr(unread_things, "find_die_sized", lambda *_: things(*np.zeros((2, 2))))
    row = np.zeros((1, 8), np.float32)
    row[0, [3, 5, 7]] = three, five, other
    place = lost.middle if on_a_die else lost.middle + np.array([0.0, 2.0 * lost.edge_px])
    refusal = refuse_unread_things(seen()[0], anywhere_network().classify, read, ClassifiedPlaces(place[None], row))
    assert (refusal is not None) == refuses


@pytest.mark.parametrize(("chance_of_none", "refuses"), [(0.001, True), (0.05, False)])
def test_a_thing_may_be_a_die_that_is_smaller_than_the_others(
    monkeypatch: pytest.MonkeyPatch, chance_of_none: float, refuses: bool
) -> None:
    """The network knows a die only where it is as large as in what it is shown."""
    edge = usual_edge([one.face for one in seen()[1]])

    def classify(edges: NDArray[Any], _: object) -> NDArray[np.float32]:
        none = np.where(edges < 0.7 * edge, chance_of_none, 0.99)
        return np.column_stack((none, *np.zeros((6, len(edges))), 1 - none)).astype(np.float32)

    found = DieSized(np.full((1, 2), 40.0), True, np.zeros((0, 2)), (), np.zeros((3, 2)))
    monkeypatch.setattr(unread_things, "find_die_sized", lambda *_: found)
    monkeypatch.setattr(unread_things, "crops", lambda _pixels, _places, edges: edges)
    nowhere = ClassifiedPlaces(np.zeros((0, 2)), np.zeros((0, 8), np.float32))
    assert (refuse_unread_things(seen()[0], classify, seen()[1], nowhere) is not None) == refuses


def test_a_pip_of_another_value_is_no_1() -> None:
    dice = (die(1, 100, 80, RED), die(4, 150, 100, RED))
    look = rank_looks(camera(dice).capture().pixels[160:480, 430:800])[0]
    read = classify_faces(anywhere_network().classify, look.pixels, look.faces, 0.3)[0]
    one, four = sorted(read, key=lambda each: each.face.value)
    pip = ClassifiedFace(one.face.moved(four.face.places[0] - one.face.middle), one.chances)
    kept = _without_single_pips(look, anywhere_network().classify, [one, pip])
    assert [id(each) for each in kept] == [id(one)]
