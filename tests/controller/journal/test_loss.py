"""What is said of a loss to a device that has seen more than is kept."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.high_water_mark import HighWaterMark
from controller.journal.recovery import describe_lost_for_client
from controller.journal.store import Journal
from tests.support.homes import play_game

ANOTHER = "0" * 16


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        for seed in range(3):
            play_game(journal, random.Random(seed), throws=2)
        yield journal


@pytest.fixture
def last(journal: Journal) -> HighWaterMark:
    mark = journal.last_mark()
    assert mark is not None
    return mark


@pytest.mark.parametrize(
    ("more_games", "more_events", "what", "events"),
    [(0, 2, "steps", 2), (1, 0, "game", None), (0, 0, "other", 0), (0, -1, "other", 0)],
)
def test_what_was_seen_and_is_not_here_is_told(
    journal: Journal, last: HighWaterMark, more_games: int, more_events: int, what: str, events: int | None
) -> None:
    seen = HighWaterMark(last.game_id + more_games, last.number + more_events, ANOTHER)
    [message] = describe_lost_for_client(journal, seen)
    assert (message.key, message.args["lost"]) == ("journal.lost", what)
    assert message.args["events"] == (seen.number if events is None else events)


def test_nothing_is_said_where_it_is_here_or_of_games_before_the_last_which_may_be_packed(
    journal: Journal, last: HighWaterMark
) -> None:
    assert describe_lost_for_client(journal, last) == ()
    assert describe_lost_for_client(journal, HighWaterMark(last.game_id - 1, last.number + 5, ANOTHER)) == ()


def test_a_mark_is_read_as_it_is_written(last: HighWaterMark) -> None:
    assert HighWaterMark.parse(str(last)) == last
