"""Seats as a terminal tells of them: whose turn is elsewhere, who comes and goes, and who is meant by a name."""

import pytest

from controller.cli.places import changes_of_seats, describe_seats, names_in, others_turn
from controller.cli.typed import hint_for
from controller.game.actions import Action
from controller.game.snapshot import Snapshot
from controller.game.views import SeatView


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
        (table(), (), "Enter throws"),
        (table(ann=("page", True)), (), "Ann plays at another place; p pauses"),
        (table(ann=("page", False)), (), "Ann is away: sit Ann takes the seat; p pauses"),
        (table(ann=("terminal", True)), ("Ann",), "Enter throws"),
        (table(bob=("page", True)), (), "Enter throws"),
    ],
)
def test_a_hint_says_whose_turn_it_is_elsewhere(snapshot: Snapshot, names: tuple[str, ...], hint: str) -> None:
    assert hint_for(snapshot, names).startswith(hint)
    assert bool(others_turn(snapshot, names)) is not hint.startswith("Enter")


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (table(), table(bob=("page", True)), ["Bob sits down at another page."]),
        (table(bob=("page", True)), table(bob=("page", False)), ["Bob is away."]),
        (table(bob=("page", False)), table(), ["Bob's seat is free."]),
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
