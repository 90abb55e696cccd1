"""The short form of the hunt: some requests by chance at every door, and that a wrong answer is found."""

from pathlib import Path

import pytest

pytest.importorskip("schemathesis", reason="needs schemathesis: make lanes")

from schemathesis.checks import FailureGroup

from controller.errors import UnknownSeat
from controller.referee.referee import Referee
from controller.referee.seats import Seating
from tests.api.hunt import Bag, ChangedByRefusal, hunt_at_one_box

CASES = 120
FEW = 30  # enough to come through each door to one address


@pytest.mark.long
def test_no_request_breaks_the_box_or_is_answered_as_nobody_said(tmp_path: Path) -> None:
    bag = Bag()
    hunt_at_one_box(tmp_path, CASES, 1, bag)
    assert bag.cases == CASES
    assert {200, 401, 403, 422} <= set(bag.statuses())


@pytest.mark.long
def test_an_answer_that_is_not_declared_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_referee: Referee) -> None:
        raise RuntimeError

    monkeypatch.setattr(Referee, "moves", fail)
    with pytest.raises(FailureGroup, match="Server error"):
        hunt_at_one_box(tmp_path, FEW, 1, Bag(), only="GET /api/moves")


@pytest.mark.long
def test_a_refusal_that_changes_something_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def note_and_refuse(_seating: Seating, token: str) -> None:
        (tmp_path / "left.txt").write_text(token)
        raise UnknownSeat("nobody sits here")

    monkeypatch.setattr(Seating, "leave", note_and_refuse)
    with pytest.raises(ChangedByRefusal, match="DELETE"):
        hunt_at_one_box(tmp_path, FEW, 1, Bag(), only="DELETE /api/seats")
