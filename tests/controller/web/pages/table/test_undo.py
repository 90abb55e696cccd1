"""Undo that is not possible: the reason stands at its button, and is another in every case; who is asked to choose."""

from dataclasses import replace

import pytest

from controller.game.core.commands import ConfirmTiles, StartGame
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.web.pages.table.audience import Audience, View
from controller.web.pages.table.parts import DrawnParts
from tests.controller.web.pages.elements import elements_of
from tests.controller.web.pages.table.test_fault import ANN, BOB, after

DRAWN = DrawnParts()
CONTEXT = SnapshotContext(1, 1, "two-level-9", simulated=True)
FIRST = {"first": "chosen"}


def table(undo: dict[str, str | int], *commands: TakeThrow | Choose) -> Snapshot:
    start = StartGame((Player("Ann"), Player("Bob")), options={**FIRST, **undo})
    return snapshot_of(after(start, ConfirmTiles(), *commands), CONTEXT)


def acts(snapshot: Snapshot, caller: Caller = ANN) -> str:
    return DRAWN.of(snapshot, Audience("play", "en", caller))["acts"]


THROWN = TakeThrow((5, 3))


@pytest.mark.parametrize(
    ("snapshot", "why"),
    [
        (table({}), "There is nothing to take back yet."),
        (
            table({}, THROWN),
            "Nothing is shut for this throw yet: a second tap lets a tile go. What was shut before stays.",
        ),
        (table({"undo": "nobody"}, THROWN), "Nothing is taken back in this game, as agreed."),
        (table({"undo_limit": 1}), "There is nothing to take back, or it was done as often as agreed."),
    ],
)
def test_it_says_why_beside_the_button_and_to_who_hears_the_page(snapshot: Snapshot, why: str) -> None:
    html = acts(snapshot)
    [button] = [each.attributes for each in elements_of(html) if each.attributes.get("id") == "act-undo"]
    [place] = [each.attributes for each in elements_of(html) if each.attributes.get("id") == "why-no-undo"]
    assert button["aria-describedby"] == place["id"]
    assert "hidden" in place
    assert f">{why}</p>" in html


def test_what_is_another_s_to_take_back_is_said_to_be_theirs() -> None:
    snapshot = table({}, THROWN)
    undo = replace(next(each for each in snapshot.actions if each.kind == "correct"), kind="undo", by=("Bob",))
    html = acts(replace(snapshot, actions=(*snapshot.actions, undo)))
    assert ">Only Bob may take it back.</p>" in html


def test_where_it_can_be_done_nothing_says_why_not() -> None:
    html = acts(table({}, THROWN, Choose(("front-8",))))
    assert ("act-undo" in html, "why-no-undo" in html) == (True, False)


def test_who_cannot_act_is_told_who_plays_and_offered_nothing() -> None:
    html = acts(table({}, THROWN), BOB)
    assert (">Ann plays</p>" in html, "button" in html) == (True, False)


@pytest.mark.parametrize(("caller", "view", "told"), [(ANN, "play", True), (BOB, "play", False), (BOB, "wall", True)])
def test_only_who_chooses_is_asked_to_choose_and_the_wall_asks_all(caller: Caller, view: View, *, told: bool) -> None:
    said = DRAWN.of(table({}, THROWN), Audience(view, "en", caller))["say"]
    assert "threw 3 and 5, total 8." in said
    assert ("Choose tiles that fit." in said) == told
