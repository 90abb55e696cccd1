"""Seats as a terminal tells of them: whose turn is elsewhere, who comes and goes, and who is meant by a name."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from controller.cli.places import changes_of_seats, describe_seats, names_in, others_turn
from controller.cli.play.hints import hint_for
from controller.game.core.actions import Action
from controller.game.core.message import compose
from controller.game.table.snapshot import SeatView, Snapshot
from hardware.errors import Fault

if TYPE_CHECKING:
    from controller.game.core.phases import PhaseName

THROWING = ("Enter: throw 2 simulated dice", "h: hint", "?: help")


def table(ann: tuple[str | None, bool] = (None, False), bob: tuple[str | None, bool] = (None, False)) -> Snapshot:
    """Ann's throw is awaited; of both seats: through which door held, and whether its holder is there."""
    seats = tuple(SeatView(name, None, True, *held) for name, held in (("Ann", ann), ("Bob", bob)))  # type: ignore[arg-type]
    actions = (Action("roll", "throw the dice", ("Ann",)), Action("park", "pause", ("Ann", "Bob")))
    return Snapshot(
        1, "box", "", phase="awaiting_throw", seats=seats, actions=actions, players=("Ann", "Bob"), simulated=True
    )


@pytest.mark.parametrize(
    ("snapshot", "names", "hint"),
    [
        (table(), (), THROWING),
        (table(ann=("page", True)), (), ("waiting for Ann, who plays at another page", "p: pause")),
        (table(ann=("remote", True)), (), ("waiting for Ann, who plays at the other box", "p: pause")),
        (table(ann=("page", False)), (), ("Ann is away", "sit Ann: play for Ann", "p: pause")),
        (table(ann=("terminal", True)), ("Ann",), THROWING),
        (table(bob=("page", True)), (), THROWING),
    ],
)
def test_a_hint_says_whose_turn_it_is_elsewhere(
    snapshot: Snapshot, names: tuple[str, ...], hint: tuple[str, ...]
) -> None:
    assert hint_for(snapshot, names) == hint
    assert bool(others_turn(snapshot, names)) is (hint != THROWING)


def test_nobody_is_waited_for_while_the_house_throws_for_itself() -> None:
    throws = compose("throw.awaited", player="House", thrower="Ann", by_house=True, counts=(2,), sides=6)
    snapshot = replace(table(ann=("page", True)), messages=(throws,))

    assert hint_for(snapshot) == ("p: pause",)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (table(), table(bob=("page", True)), ["Bob plays at another page now."]),
        (table(), table(bob=("remote", True)), ["Bob plays at the other box now."]),
        (table(bob=("page", True)), table(bob=("page", False)), ["Bob is away."]),
        (
            table(bob=("page", False)),
            table(),
            ["Bob has left the seat. You can play for Bob here."],
        ),
        (table(), table(ann=("terminal", True)), []),
        (table(), table(), []),
    ],
)
def test_who_comes_and_goes_is_told_but_for_oneself(before: Snapshot, after: Snapshot, lines: list[str]) -> None:
    assert list(changes_of_seats(before, after, ("Ann",))) == lines


@pytest.mark.parametrize(
    ("line", "names"),
    [("sit ann", ("Ann",)), ("sit Ann, bob", ("Ann", "Bob")), ("stand", ()), ("sit zoe", ("zoe",))],
)
def test_players_are_meant_in_any_case(line: str, names: tuple[str, ...]) -> None:
    assert names_in(line, table()) == names
    assert all(name in describe_seats(names) for name in names)


def test_who_has_played_may_take_it_back_while_another_is_to_throw() -> None:
    """Ann's turn is lost: the throw is Bob's, what she did is still hers."""
    ann, bob = SeatView("Ann", None, True, "terminal", True), SeatView("Bob", None, True, "terminal", True)
    actions = (Action("roll", "", ("Bob",)), Action("undo", "", ("Ann",)), Action("park", "", ("Ann", "Bob")))
    table = Snapshot(
        1, "box", "", phase="awaiting_throw", turn="Bob", seats=(ann, bob), actions=actions, dice_allowed=(2,)
    )
    here = ("throw on the baize: the camera looks by itself", "Enter: it looks now", "h: hint", "?: help")

    waits = "waiting for Bob, who plays at another terminal"
    assert hint_for(table, ["Ann"]) == (waits, "u: undo the end of Ann's turn", "p: pause")
    assert hint_for(table, ["Bob"]) == here


def test_in_a_halt_everybody_is_told_what_can_be_answered() -> None:
    ann, bob = SeatView("Ann", None, True, "terminal", True), SeatView("Bob", None, True, "terminal", True)
    everybody = ("Ann", "Bob")
    actions = (
        Action("try_again", "", everybody),
        Action("believe", "", everybody),
        Action("end_turn", "", everybody, points=37),
        Action("undo", "", ("Ann",)),
    )
    fault = Fault("H-301", "front-8", "SHUT", "OPEN", "Free it.")
    table = Snapshot(1, "box", "", phase="halted", turn="Ann", seats=(ann, bob), actions=actions, fault=fault)
    told = (
        "Enter: the box tries again",
        "s: front-8 really is down (look first), go on",
        "e: end Ann's turn now, with 37 points",
        "i: technical details, for repairs",
        "?: help",
    )

    assert hint_for(table, ["Bob"]) == told
    assert hint_for(table, ["Ann"]) == (*told, "u: take back Ann's last choice")


def test_the_choice_of_the_house_is_nobodys_to_take_back() -> None:
    seats = (SeatView("Ann", None, True), SeatView("House", "steady", True))
    actions = (Action("roll", "", ("Ann",)), Action("undo", "", ("House",)))
    table = Snapshot(1, "box", "", phase="awaiting_throw", seats=seats, actions=actions, dice_allowed=(2,))

    assert not [each for each in hint_for(table) if each.startswith("u:")]


@pytest.mark.parametrize(
    ("throw", "allowed", "example", "shown"),
    [
        ((3, 5), (2,), "5 3", "5 1"),
        ((2, 6), (2,), "5 3", "5 3"),
        ((), (1,), "5 3", "5"),
        ((5,), (1, 2), "5 3", "1"),
        ((1, 3, 5, 6), (4,), "5 3 6 1", "5 3 6 2"),
        ((17,), (1,), "17", "1"),
    ],
)
def test_an_example_is_a_throw_that_can_be_and_another_than_lies(
    throw: tuple[int, ...], allowed: tuple[int, ...], example: str, shown: str
) -> None:
    phase: PhaseName = "choosing" if throw else "awaiting_throw"
    table = Snapshot(
        1, "box", "", phase=phase, throw=throw, dice_allowed=allowed, example=example, camera_reads=bool(throw)
    )
    assert [each for each in hint_for(table) if each.endswith(f"such as d {shown}")]
