"""What devices have seen kept, against what is here: a loss is told once, and what is kept is shown under the seal."""

import asyncio
import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.game.core.message import Message, compose
from controller.journal.high_water_mark import HighWaterMark
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from controller.referee.recorder import RollbackCheck
from tests.support.homes import play_game


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        yield journal


@pytest.fixture
def writer(journal: Journal) -> Iterator[JournalWriter]:
    writer = JournalWriter(journal)
    yield writer
    writer.close()


def seal(text: str) -> str:
    return f"sealed {text}"


def unkept(journal: Journal) -> HighWaterMark:
    last = journal.last_mark()
    assert last is not None
    return HighWaterMark(last.game_id, last.number + 2, last.digest)


def test_nothing_is_shown_before_the_first_event_and_then_the_last_one_sealed(
    journal: Journal, writer: JournalWriter
) -> None:
    assert RollbackCheck(journal, writer, seal).seen == ""
    play_game(journal, random.Random(1), throws=2)
    check = RollbackCheck(journal, writer, seal)
    assert check.seen == f"sealed {journal.last_mark()}"
    check.note(unkept(journal))
    assert check.seen == f"sealed {unkept(journal)}"


async def test_a_loss_is_told_once(journal: Journal, writer: JournalWriter) -> None:
    play_game(journal, random.Random(1), throws=2)
    check = RollbackCheck(journal, writer, seal)
    assert [message.key for message in await check.compare(unkept(journal))] == ["journal.lost"]
    assert await check.compare(unkept(journal)) == ()


@pytest.mark.parametrize(
    "found",
    [
        compose("journal.lost", game_id=1, events=2, lost="steps"),
        compose("journal.closed", code="C-331"),
    ],
)
async def test_a_loss_that_is_known_and_a_disk_that_takes_nothing_have_nothing_told(
    journal: Journal, writer: JournalWriter, found: Message
) -> None:
    play_game(journal, random.Random(1), throws=2)
    assert await RollbackCheck(journal, writer, seal, (found,)).compare(unkept(journal)) == ()


async def test_who_comes_while_the_card_is_slow_holds_up_nothing(journal: Journal, writer: JournalWriter) -> None:
    play_game(journal, random.Random(1), throws=2)
    last, check, card = journal.last_mark(), RollbackCheck(journal, writer, seal), threading.Event()
    assert last is not None
    writing = asyncio.create_task(writer.look_up(card.wait))
    hearing = asyncio.create_task(check.compare(unkept(journal)))
    for _ in range(10):
        await asyncio.sleep(0)
    assert await check.compare(last) == (), "what was kept last needs no look"
    assert not hearing.done()
    card.set()
    assert await writing
    assert await hearing
