"""What devices have seen kept, against what is here: a loss is told once, and what is kept is shown under the seal."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.game import Message, compose
from controller.journal import Journal, Mark
from controller.referee.witness import Witness
from tests.support.homes import play_game


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        yield journal


def seal(text: str) -> str:
    return f"sealed {text}"


def unkept(journal: Journal) -> Mark:
    last = journal.last_mark()
    assert last is not None
    return Mark(last.game_id, last.number + 2, last.digest)


def test_nothing_is_shown_before_the_first_event_and_then_the_last_one_sealed(journal: Journal) -> None:
    assert Witness(journal, seal).seen == ""
    play_game(journal, random.Random(1), throws=2)
    witness = Witness(journal, seal)
    assert witness.seen == f"sealed {journal.last_mark()}"
    witness.note(unkept(journal))
    assert witness.seen == f"sealed {unkept(journal)}"


def test_a_loss_is_told_once(journal: Journal) -> None:
    play_game(journal, random.Random(1), throws=2)
    witness = Witness(journal, seal)
    assert [message.key for message in witness.hear(unkept(journal))] == ["journal.lost"]
    assert witness.hear(unkept(journal)) == ()


@pytest.mark.parametrize(
    "found",
    [
        compose("journal.lost", "Two steps are lost.", game_id=1, events=2, lost="steps"),
        compose("journal.closed", "The disk takes nothing.", code="C-331"),
    ],
)
def test_a_loss_that_is_known_and_a_disk_that_takes_nothing_have_nothing_told(journal: Journal, found: Message) -> None:
    play_game(journal, random.Random(1), throws=2)
    assert Witness(journal, seal, (found,)).hear(unkept(journal)) == ()
