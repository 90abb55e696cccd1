"""Backups beside a daemon that plays on, of other boxes, of users of a group; restores that are refused or undone."""

import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.errors import BackupDamaged, BackupError, DaemonRuns
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.runtime.locks import lock
from controller.service.backup import save_backup
from controller.service.restore import prepare_restore
from tests.support.homes import SETTINGS, furnish, play_game, sums_of
from tests.support.users import GROUP, MEMBER, SERVICE, acting_as, folder_of_group, needs_root
from tests.test_house import ROOT

NOW = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home", tmp_path / "home")
    furnish(home)
    return home


def save(home: Home, target: Path) -> Path:
    return save_backup(home, target, NOW, lambda _: None).file


def restore(home: Home, source: Path) -> Path | None:
    with prepare_restore(home, source, NOW, lambda _: None) as ready:
        return ready.carry_out(NOW)


def doubts_of(home: Home, source: Path) -> tuple[str, ...]:
    with prepare_restore(home, source, NOW, lambda _: None) as ready:
        return ready.doubts


def rows_of(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchall()


def test_a_backup_beside_a_journal_that_is_written_has_all_that_was_committed(home: Home, tmp_path: Path) -> None:
    with lock(home.lock), Journal(home.journal) as journal:
        play_game(journal, random.Random(7), throws=3)
        games = journal.game_ids()
        made = save(home, tmp_path)
        play_game(journal, random.Random(8), throws=3)

    restore(home, made)

    with Journal(home.journal) as journal:
        assert journal.game_ids() == games


def test_who_sits_where_is_in_no_backup(home: Home, tmp_path: Path) -> None:
    restore(home, save(home, tmp_path))

    assert b"digest-of-a-token" not in home.journal.read_bytes()
    assert rows_of(home.journal, "SELECT * FROM seat") == []


def test_a_restore_puts_aside_what_was_there_and_that_can_be_restored(home: Home, tmp_path: Path) -> None:
    made = save(home, tmp_path)
    home.settings.write_text('players = ["Carl"]\n')
    (home.data / "dice" / "boats.npz").write_bytes(b"half of a set")
    Path(f"{home.journal}-wal").write_bytes(b"of another journal")

    aside = restore(home, made)

    assert aside is not None
    assert home.settings.read_text() == SETTINGS
    assert not (home.data / "dice" / "boats.npz").exists()
    assert (aside / "settings.toml").read_text() == 'players = ["Carl"]\n'
    assert (aside / "dice" / "boats.npz").exists()
    assert (aside / "journal.sqlite3-wal").read_bytes() == b"of another journal"
    Path(aside / "journal.sqlite3-wal").unlink()
    Path(aside / "dice" / "boats.npz").unlink()
    again = restore(home, aside)
    assert home.settings.read_text() == 'players = ["Carl"]\n'
    assert again is not None
    assert again.name == f"{aside.name}-2"


def test_a_home_whose_journal_is_damaged_can_be_restored(home: Home, tmp_path: Path) -> None:
    made = save(home, tmp_path)
    home.journal.write_bytes(b"these bytes are no journal")

    aside = restore(home, made)

    assert aside is not None
    assert (aside / "journal.sqlite3").read_bytes() == b"these bytes are no journal"
    with Journal(home.journal) as journal:
        assert journal.game_ids()


def test_a_restore_beside_a_daemon_is_refused(home: Home, tmp_path: Path) -> None:
    made = save(home, tmp_path)

    with lock(home.lock), pytest.raises(DaemonRuns, match="stop it"):
        restore(home, made)


def test_what_is_prepared_and_not_carried_out_leaves_no_trace(home: Home, tmp_path: Path) -> None:
    made = save(home, tmp_path)
    home.lock.touch()
    before = sums_of(home.data)

    assert doubts_of(home, made) == ()

    assert sums_of(home.data) == before
    assert not (home.data / ".swap").exists()


def test_a_backup_of_another_box_is_doubtful(home: Home, tmp_path: Path) -> None:
    made = save(home, tmp_path)
    home.settings.write_text('box = "classic-9"\n')

    assert doubts_of(home, made) == ("it is of the box two-level-9, and this one is classic-9",)


def test_a_backup_is_no_other_box_s_where_nothing_is_yet(home: Home, tmp_path: Path) -> None:
    home.settings.write_text('box = "classic-9"\n')

    assert doubts_of(Home(tmp_path / "new", tmp_path / "new"), save(home, tmp_path)) == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('box = "/nowhere/box.toml"\n', "names? a box that is not known here"),
        ('dice = "boats"\n', "the dice 'boats', which are not there"),
    ],
)
def test_settings_that_name_what_is_not_there_are_doubtful_and_saved(
    home: Home, tmp_path: Path, text: str, says: str
) -> None:
    home.settings.write_text(text)

    made = save_backup(home, tmp_path, NOW, lambda _: None)

    assert len(made.doubts) == 1
    assert re.search(says, doubts_of(home, made.file)[0])


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_journal_of_any_format_is_saved_and_restored_as_it_is(home: Home, tmp_path: Path, number: int) -> None:
    old = ROOT / "tests" / "data" / f"journal-format-{number}.sqlite3"
    home.journal.write_bytes(old.read_bytes())

    restore(home, save(home, tmp_path))

    events = "SELECT game, number, at, body, digest FROM event ORDER BY game, number"
    assert rows_of(home.journal, events) == rows_of(old, events)
    assert rows_of(home.journal, "PRAGMA user_version") == [(number,)]
    with Journal(home.journal) as journal:
        assert journal.game_ids()


def test_a_backup_never_takes_the_place_of_a_file(home: Home, tmp_path: Path) -> None:
    first, second = save(home, tmp_path), save(home, tmp_path)

    assert second.name == "shutbox-two-level-9-2026-11-24-2.tar.gz"
    with pytest.raises(BackupError, match="name another file"):
        save(home, first)


def test_what_could_not_be_restored_is_not_saved(home: Home, tmp_path: Path) -> None:
    home.settings.write_text("bocks = 1\n")

    with pytest.raises(BackupDamaged, match=r"nothing was saved, .*: settings\.toml:1: bocks: unknown key"):
        save(home, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_an_empty_home_has_nothing_to_save(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="nothing to be saved"):
        save(Home(tmp_path / "new", tmp_path / "new"), tmp_path)


def test_a_folder_that_no_restore_has_put_aside_is_refused(home: Home, tmp_path: Path) -> None:
    (tmp_path / "photographs").mkdir()

    with pytest.raises(BackupDamaged, match="name the file of a backup"):
        restore(home, tmp_path / "photographs")


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    with folder_of_group(0o2770) as data:
        monkeypatch.setattr("controller.runtime.home.SERVICE_DATA", data)
        yield Home(data, data)


@needs_root
@pytest.mark.parametrize("user", [0, MEMBER])
def test_what_one_of_the_group_restores_the_service_goes_on_with(shared: Home, user: int) -> None:
    with acting_as(SERVICE, GROUP):
        shared.make()
        furnish(shared)
    with acting_as(user, GROUP):
        shared.make()
        aside = restore(shared, save(shared, shared.data))
        assert aside is not None
        restore(shared, aside)

    with acting_as(SERVICE, GROUP), Journal(shared.journal) as journal:
        play_game(journal, random.Random(3), throws=1)
    assert {path.stat().st_gid for path in shared.data.rglob("*")} == {GROUP}
