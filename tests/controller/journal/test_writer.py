"""Commits away from the loop: in order, true only when they are durable, and nobody else waits for them."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.errors import JournalUnwritable
from controller.game.core.commands import Abandon, Park, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, RollDice, TakeThrow
from controller.journal.files import backup_copy_of
from controller.journal.keys import CommandKey
from controller.journal.store import Journal
from controller.journal.writer import JournalWriter
from tests.support.tables import open_table_rig, until

START = StartGame((Player("Ann"),))


class SlowCard:
    """Holds up every commit until it is let go."""

    def __init__(self) -> None:
        self.writing = threading.Event()
        self.go_on = threading.Event()

    @contextmanager
    def under(self, journal: Journal, patch: pytest.MonkeyPatch) -> Iterator["SlowCard"]:
        append = journal.append

        def slowly(*words: Any) -> None:
            self.writing.set()
            assert self.go_on.wait(10)
            append(*words)

        with patch.context() as context:
            context.setattr(journal, "append", slowly)
            try:
                yield self
            finally:
                self.go_on.set()


async def test_nobody_waits_for_a_slow_card_and_nothing_is_true_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        with SlowCard().under(table.journal, monkeypatch) as card:
            asked = asyncio.ensure_future(referee.ask(START))
            later = asyncio.ensure_future(referee.ask(Park()))
            await asyncio.to_thread(card.writing.wait, 10)
            async with referee.watch() as snapshots:
                assert (await snapshots.get()).phase == "idle"
                referee.tell_job()  # drawn anew, as when somebody sits down
                assert snapshots.empty()
                assert referee.snapshot.phase == "idle"
            assert not asked.done()
            assert not later.done()
        assert (await asked).phase == "moving"
        assert (await later).phase == "parked"
        assert [entry.event.kind for entry in table.journal.entries(1)] == ["game_started", "game_parked"]


async def test_what_was_begun_is_written_when_the_box_is_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table_rig(tmp_path) as table:
        with SlowCard().under(table.journal, monkeypatch) as card:
            async with table.referee() as referee:
                asked = asyncio.ensure_future(referee.ask(START))
                await asyncio.to_thread(card.writing.wait, 10)
                card.go_on.set()
        asked.cancel()
        assert table.journal.count_events(1) == 1


async def test_after_the_end_nothing_is_written(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.sqlite3") as journal:
        writer = JournalWriter(journal)
        writer.close()
        with pytest.raises(JournalUnwritable, match="switched off"):
            await writer.note_key(CommandKey(b"key", b"", b""), 1, 1)


async def test_everybody_hears_that_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(START)
        await until(referee, "awaiting_throw")
        table.journal._db.execute("PRAGMA query_only = 1")
        with pytest.raises(JournalUnwritable) as refused:
            await referee.ask(Park())
        heard = await until(referee, "awaiting_throw", notice="This cannot be saved now")
        assert "the disk can only be read" in str(heard.notice_messages[0].args["cause"])
        assert str(tmp_path) not in str(refused.value) + heard.notice
        table.journal._db.execute("PRAGMA query_only = 0")
        assert (await referee.ask(RollDice())).notice == ""


async def test_a_turn_leaves_no_log_behind_and_a_game_a_good_copy(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:
        async with table.referee() as referee:
            await referee.ask(START)
            await referee.ask(Abandon())
        log = table.journal.path.with_name(table.journal.path.name + "-wal")
        assert log.stat().st_size == 0
        with Journal(backup_copy_of(table.journal.path), read_only=True) as copy:
            assert copy.entries(1) == table.journal.entries(1)


@pytest.mark.parametrize("spoil", ["no journal", "gone"])
def test_a_good_copy_is_added_to_and_made_anew_where_it_cannot_be_read(tmp_path: Path, spoil: str) -> None:
    from tests.controller.journal.test_opening import STORY, play

    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        for _ in range(2):
            play(journal, *STORY, Abandon())
        with Journal(backup_copy_of(path), read_only=True) as copy:
            assert copy.game_ids() == [1, 2]
        backup_copy_of(path).unlink()
        if spoil != "gone":
            backup_copy_of(path).write_text(spoil)
        for _ in range(2):
            play(journal, *STORY, Abandon())
        with Journal(backup_copy_of(path), read_only=True) as copy:
            assert [copy.entries(game) for game in copy.game_ids()] == [journal.entries(game) for game in range(1, 5)]


async def test_who_plays_alone_hears_of_his_record(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        for _ in range(2):
            await referee.ask(StartGame((Player("Ann"),), "unlucky-7"))
            await until(referee, "awaiting_throw")
            await referee.ask(TakeThrow((3, 4)))
            await referee.ask(AcceptLoss())
            ended = await until(referee, "ended")
        assert "The best of 2 games is 45, the average 45.0." in ended.news
