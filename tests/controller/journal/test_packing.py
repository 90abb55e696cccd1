"""Old games are packed: smaller, and nobody notices."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.errors import JournalDamaged
from controller.game.core.commands import Command, ConfirmTiles, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.journal import tables
from controller.journal.files import backup_copy_of
from controller.journal.records import records_of
from controller.journal.recovery import open_journal
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from tests.controller.journal.test_opening import TODAY, play

LOST: tuple[Command, ...] = (
    StartGame((Player("Ann"),), "unlucky-7"),
    ConfirmTiles(),
    *(
        command
        for tile in (8, 6, 5)
        for command in (TakeThrow((2, tile - 2)), Choose((f"front-{tile}",)), ConfirmTiles())
    ),
    TakeThrow((3, 4)),
    AcceptLoss(),
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nine games of one who plays alone, with four packed, in the journal and in its copy."""
    monkeypatch.setattr(tables, "_WHOLE", 3)
    monkeypatch.setattr(tables, "_AT_ONCE", 2)
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        for _ in range(9):
            play(journal, *LOST)
    return path


def packed(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("SELECT game FROM packed ORDER BY game")]


def test_a_packed_game_is_as_it_was(path: Path) -> None:
    assert packed(path) == packed(backup_copy_of(path)) == [1, 2, 3, 4, 5, 6]
    for file in (path, backup_copy_of(path)):
        with Journal(file, read_only=True) as journal:
            games = [journal.entries(game) for game in journal.game_ids()]
            assert all(entries == games[-1] for entries in games)
            assert replay_checked(games[0]) == replay_checked(games[-1])
            assert records_of(journal)[0].scores == (26,) * 9


def test_where_packed_games_cannot_be_read_the_others_still_are(path: Path) -> None:
    backup_copy_of(path).unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (blob,) = db.execute("SELECT events FROM packed WHERE game = 1").fetchone()
    data = bytearray(path.read_bytes())
    page = data.index(blob) // 1024 * 1024
    data[page : page + 8] = bytes(8)
    path.write_bytes(data)
    journal, said = open_journal(path, TODAY)
    with closing(journal):
        assert [message.key for message in said] == ["journal.damaged"]
        games = [journal.entries(game_id) for game_id in (7, 8, 9)]
    assert replay_checked(games[0]) == replay_checked(games[1]) == replay_checked(games[2]) is not None


def test_a_packed_game_is_smaller(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        whole = db.execute(
            "SELECT sum(length(body) + length(digest) + length(at)) FROM event WHERE game = 9"
        ).fetchone()
        rest = db.execute("SELECT sum(length(body) + length(digest) + length(at)) FROM event WHERE game = 1").fetchone()
        small = db.execute("SELECT length(events) FROM packed WHERE game = 1").fetchone()
    assert rest[0] + small[0] < 0.75 * whole[0]


def test_packed_games_are_taken_from_a_damaged_file_without_a_copy(path: Path) -> None:
    backup_copy_of(path).unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE event SET digest = 'no' WHERE game = 9 AND number = 4")
    journal, said = open_journal(path, TODAY)
    with journal:
        assert said[0].key == "journal.damaged"
        assert journal.entries(1) == journal.entries(8)
        assert len(journal.entries(9)) == 3


def test_a_packed_game_that_cannot_be_read_is_named(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE packed SET events = x'0102' WHERE game = 2")
    with Journal(path, read_only=True) as journal:
        assert journal.entries(1)
        with pytest.raises(JournalDamaged, match="game 2"):
            journal.entries(2)


def test_a_copy_that_lags_in_packing_makes_no_event_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        for _ in range(6):
            play(journal, *LOST)
        unpacked = backup_copy_of(path).read_bytes()
        monkeypatch.setattr(tables, "_WHOLE", 3)
        monkeypatch.setattr(tables, "_AT_ONCE", 2)
        for _ in range(2):
            play(journal, *LOST)
    assert packed(path)
    backup_copy_of(path).write_bytes(unpacked)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE event SET digest = 'no' WHERE game = 8 AND number = 4")
    with open_journal(path, TODAY)[0] as journal:
        games = [journal.entries(game) for game in journal.game_ids()]
        assert [replay_checked(entries) is not None for entries in games] == [True] * 8
        assert all(entries == games[0] for entries in games[:7])


def test_an_old_game_that_cannot_be_read_keeps_no_other_from_being_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_WHOLE", 1)
    monkeypatch.setattr(tables, "_AT_ONCE", 2)
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        play(journal, *LOST)
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE event SET body = 'no' WHERE game = 1 AND number = 2")
        for _ in range(2):
            play(journal, *LOST)
    assert packed(path) == [2]
