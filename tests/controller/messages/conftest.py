"""Everything that is said."""

import pytest

from controller.game.core.message import Messages
from tests.conftest import run_to_the_end
from tests.controller.referee.test_messages import (
    said_by_the_game,
    said_of_operators,
    said_of_the_table,
    seen_after_a_cut,
    seen_at_a_table,
)


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    """Messages of every key."""
    folder = tmp_path_factory.mktemp("spoken")
    (folder / "cut").mkdir()
    seen = [*run_to_the_end(seen_at_a_table(folder)), *run_to_the_end(seen_after_a_cut(folder / "cut"))]
    at_the_box = (message for snapshot in seen for message in snapshot.messages)
    of_operators = run_to_the_end(said_of_operators(tmp_path_factory.mktemp("operators")))
    return (*said_by_the_game(), *said_of_the_table(tmp_path_factory.mktemp("table")), *of_operators, *at_the_box)
