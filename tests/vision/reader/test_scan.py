"""What only the network takes for a die is told as one, as a crumb, or as something that bears no pips."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.support.views import view_of_table
from vision.capture.arrays import Places
from vision.field.view import PX_PER_MM
from vision.foreground.survey import look_over
from vision.pips.spots import Spots, join_spots
from vision.reader import scan
from vision.reader.refusal import THING_SAY, find_refusal
from vision.reader.scan import Scan, add_network_only
from vision.reading import Reason

HERE, NOWHERE = np.array([[140.0, 100.0]]), np.zeros((0, 2))
BESIDE = np.array([[140.0, -6.0]])  # beyond the wall


def spots_at(places: Sequence[Sequence[float]]) -> Spots:
    at = np.array(places, np.float64).reshape(-1, 2)
    each = np.ones(len(at))
    return Spots(at, 6 * each, each, each.astype(bool), 90 * each)


def told(
    monkeypatch: pytest.MonkeyPatch,
    *,
    at_mm: Places = HERE,
    pip_off_mm: float | None = None,
    likely: bool = False,
    glimpsed: bool = False,
    body: bool = True,
) -> tuple[Scan, Reason | None, str]:
    """What is told of a 3 that only the network sees on an empty table, and why that is refused."""
    monkeypatch.setattr(scan, "_has_body_at", lambda *_: body)
    view = view_of_table()
    (place,) = view.over_baize(at_mm).tolist()
    stray = spots_at([] if pip_off_mm is None else [(place[0] + pip_off_mm * PX_PER_MM, place[1])])
    found = Scan((), (), join_spots([]), stray, ())
    there = np.array([place])
    result = add_network_only(
        *(view, look_over(view).seen, found, [((place[0], place[1]), 3)]),
        there if likely else NOWHERE,
        there if glimpsed else NOWHERE,
    )
    refusal = find_refusal(view, result)
    assert refusal is not None
    return result, refusal.reason, refusal.say


def test_what_has_no_pips_about_it_is_something_on_the_baize(monkeypatch: pytest.MonkeyPatch) -> None:
    result, reason, say = told(monkeypatch)
    assert (len(result.network_only), len(result.blanks), reason, say) == (0, 1, Reason.UNEXPLAINED, THING_SAY)
    assert told(monkeypatch, pip_off_mm=9.0)[0].blanks == result.blanks


@pytest.mark.parametrize("more", [{"pip_off_mm": 7.0}, {"likely": True}, {"glimpsed": True}])
def test_with_a_pip_or_on_the_map_it_is_a_die(monkeypatch: pytest.MonkeyPatch, more: dict[str, Any]) -> None:
    result, reason, _ = told(monkeypatch, **more)
    assert (len(result.network_only), len(result.blanks), reason) == (1, 0, Reason.UNSURE)


def test_beside_the_baize_it_is_a_die_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, at_mm=BESIDE)[1] is Reason.OFF_FIELD


def test_on_plain_cloth_it_is_a_crumb(monkeypatch: pytest.MonkeyPatch) -> None:
    result, reason, _ = told(monkeypatch, body=False)
    assert (len(result.crumbs), len(result.blanks), reason) == (1, 0, Reason.UNEXPLAINED)
