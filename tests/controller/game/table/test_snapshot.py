"""What a snapshot says after a start, until the box has looked where its tiles are."""

from dataclasses import replace

import pytest

from controller.game.core.message import compose
from controller.game.core.sight import SnapshotContext
from controller.game.table.snapshot import snapshot_of
from tests.controller.game.shutbox.test_actions import MOMENTS, WAITING

AT_REST = SnapshotContext(1, 1, "two-level-9")
COMPARING = replace(AT_REST, comparing=True)
# Here people are asked for something that they can do at once, or for nothing at all.
TOLD_AT_ONCE = (
    "no game is on",
    "a tile has stopped the game",
    "the bus has stopped the game",
    "the camera has stopped the game before a throw",
    "the camera has stopped the game after a throw",
    "the game is paused",
    "tiles were moved while the box was off",
    "a tile was half way then",
    "the game is over",
    "the game was given up",
)


def test_before_the_tiles_were_looked_at_no_throw_is_asked_for() -> None:
    snapshot = snapshot_of(WAITING, COMPARING)

    assert snapshot.messages == (compose("game.comparing"),)
    assert [action.kind for action in snapshot.actions] == ["dice", "park", "abandon"]
    assert snapshot_of(WAITING, AT_REST).can("roll")


@pytest.mark.parametrize("moment", [moment for moment in MOMENTS if moment not in TOLD_AT_ONCE])
def test_until_the_tiles_were_looked_at_that_is_all_that_is_said(moment: str) -> None:
    game = MOMENTS[moment]
    looked_at, compared = snapshot_of(game, AT_REST), snapshot_of(game, COMPARING)

    assert compared.messages == (compose("game.comparing"),) != looked_at.messages
    assert compared.actions == tuple(action for action in looked_at.actions if action.kind != "roll")


@pytest.mark.parametrize("moment", TOLD_AT_ONCE)
def test_what_waits_for_people_anyway_is_told_as_ever(moment: str) -> None:
    assert snapshot_of(MOMENTS[moment], COMPARING) == snapshot_of(MOMENTS[moment], AT_REST)
