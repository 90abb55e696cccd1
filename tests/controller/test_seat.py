"""What a typed line means, phase by phase."""

import pytest

from controller.snapshot import Snapshot
from controller.typed import NotUnderstood, command_for

CHOOSING = Snapshot(1, "two-level-9", "", phase="choosing", moves=(("front-8",), ("front-3", "front-5")))
ONE_MOVE = Snapshot(1, "two-level-9", "", phase="choosing", moves=(("front-8",),))
THROWING = Snapshot(1, "two-level-9", "", phase="awaiting_throw", dice_allowed=(1, 2))
LOST = Snapshot(1, "two-level-9", "", phase="turn_lost")
MOVING = Snapshot(1, "two-level-9", "", phase="moving")


@pytest.mark.parametrize(
    ("line", "snapshot", "command"),
    [
        ("", THROWING, ("roll", {})),
        ("1", THROWING, ("roll", {"count": 1})),
        ("d 5 3", THROWING, ("dice", {"dice": [5, 3]})),
        ("2", CHOOSING, ("choose", {"tiles": ["front-3", "front-5"]})),
        ("f8", CHOOSING, ("choose", {"tiles": ["front-8"]})),
        ("f3, B5", CHOOSING, ("choose", {"tiles": ["front-3", "back-5"]})),
        ("front-3 front-5", CHOOSING, ("choose", {"tiles": ["front-3", "front-5"]})),
        ("D 5,3", CHOOSING, ("dice", {"dice": [5, 3]})),
        ("", ONE_MOVE, ("choose", {"tiles": ["front-8"]})),
        ("", LOST, ("confirm", {})),
        ("dice 6 1", LOST, ("dice", {"dice": [6, 1]})),
        ("p", MOVING, ("park", {})),
        ("give up", MOVING, ("abandon", {})),
    ],
)
def test_a_line_becomes_a_command(line: str, snapshot: Snapshot, command: tuple[str, dict[str, object]]) -> None:
    assert command_for(line, snapshot) == command


@pytest.mark.parametrize(
    ("line", "snapshot"),
    [
        ("", CHOOSING),
        ("3", CHOOSING),
        ("0", CHOOSING),
        ("", MOVING),
        ("7", LOST),
        ("hello", THROWING),
        ("d x", THROWING),
    ],
)
def test_a_line_that_means_nothing_is_told_so(line: str, snapshot: Snapshot) -> None:
    with pytest.raises(NotUnderstood):
        command_for(line, snapshot)
