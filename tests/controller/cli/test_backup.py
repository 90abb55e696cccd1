"""`shutbox backup` and `shutbox restore` as people and programs call them."""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.access.state import AccessState
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.service.archive import Manifest
from controller.service.played import Played
from controller.service.restore import Restore, clock_was_wrong
from tests.controller.conftest import Shutbox, answers
from tests.support.homes import SETTINGS, furnish, play_game, sums_of


@pytest.fixture
def home(shutbox_home: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    home = Home(shutbox_home / "home", shutbox_home / "home")
    furnish(home)
    return home


@pytest.fixture
def call(home: Home, shutbox: Shutbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shutbox:
    monkeypatch.setenv("SHUTBOX_HOME", str(home.data))
    monkeypatch.chdir(tmp_path)
    return shutbox


async def typed(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


def saved(call: Shutbox, *words: str) -> str:
    status, out, _ = call("backup", "--json", *words)
    assert status == 0
    [told] = answers(out)
    return str(told["file"])


def test_a_backup_says_what_it_holds_and_what_not(call: Shutbox) -> None:
    status, out, err = call("backup")

    assert (status, err) == (0, "")
    assert out.startswith(
        "Saved the journal, the settings, the calibration, pictures of the empty field, taught dice and"
    )
    assert " in shutbox-two-level-9-" in out
    assert "\nNot in it:\n" in out
    assert "\n  who has which seat: " in out


def test_a_program_is_told_the_same(call: Shutbox) -> None:
    status, out, _ = call("backup", "mine.tar.gz", "--json")

    [told] = answers(out)
    assert (status, told["file"], told["box"], told["format"]) == (0, "mine.tar.gz", "two-level-9", 1)
    assert {file["name"] for file in told["files"]} > {"journal.sqlite3", "settings.toml"}
    assert "who has which seat" in {each["name"] for each in told["left_out"]}


def test_a_restore_asks_and_a_no_changes_nothing(call: Shutbox, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    file = saved(call)
    home.lock.touch()
    before = sums_of(home.data)
    monkeypatch.setattr("controller.cli.backup.typed_lines", lambda: typed("n"))

    status, out, err = call("restore", file)

    assert (status, out) == (1, "")
    assert "It replaces the journal, the settings," in err
    assert err.splitlines()[-2:] == ["Restore it? y or n, then Enter.", "Cancelled: nothing was changed."]
    assert sums_of(home.data) == before


def test_a_yes_restores_and_says_where_the_old_files_are(
    call: Shutbox, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(call)
    home.settings.write_text('players = ["Carl"]\n')
    monkeypatch.setattr("controller.cli.backup.typed_lines", lambda: typed("y"))

    status, _, err = call("restore", file)

    [aside] = home.data.glob("before-restore-*")
    assert status == 0
    assert f"What was there lies in {aside}" in err
    assert home.settings.read_text() == SETTINGS
    assert (aside / "settings.toml").read_text() == 'players = ["Carl"]\n'


def test_what_devices_were_shown_before_a_restore_counts_no_more(call: Shutbox, home: Home) -> None:
    """They have seen what is put aside: that is no loss of the memory card's."""
    file = saved(call)
    home.access.write_text(AccessState(secret="5a" * 32, given=3).model_dump_json())

    assert call("restore", file, "--yes")[0] == 0
    kept = AccessState.model_validate_json(home.access.read_text())
    assert (kept.given, kept.secret == "5a" * 32) == (3, False)


def play(home: Home, games: int) -> None:
    with Journal(home.journal) as journal:
        for _ in range(games):
            play_game(journal, random.Random(1), throws=2)


def test_before_it_asks_it_says_what_was_played_in_the_backup_and_what_here(
    call: Shutbox, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(call)
    with Journal(home.journal) as journal:
        before = len(journal.game_ids())
    play(home, 3)
    monkeypatch.setattr("controller.cli.backup.typed_lines", lambda: typed("n"))

    _, _, err = call("restore", file)

    told = " ".join(err.split())
    assert f"Games in the backup: {before}, the last on 2026-11-01." in told
    assert f"Games here: {before + 3}, the last on 2026-11-01." in told
    assert told.index("Games here") < told.index("Restore it?")


def test_where_nothing_was_played_or_nothing_can_be_read_that_is_said(call: Shutbox, home: Home) -> None:
    file = saved(call)
    home.journal.write_bytes(b"these bytes are no journal")
    _, _, err = call("restore", file, "--yes")
    assert "Games here: they cannot be read." in " ".join(err.split())

    home.journal.unlink()
    status, out, err = call("restore", file, "--yes", "--json")
    [told] = answers(out)
    assert "Games here: none." in " ".join(err.split())
    assert (status, told["games"] > 0, told["games_before"]) == (0, True, 0)


@pytest.mark.parametrize(
    ("made", "brought", "here", "is_wrong"),
    [
        (2, 1, 1, False),
        (2, None, None, False),
        (2, 3, 1, True),  # saved before its last game was played
        (2, 1, 9, True),  # played in the future
        (9, 1, 1, True),  # saved in the future
    ],
)
def test_dates_that_cannot_be_right_are_called_so(
    made: int, brought: int | None, here: int | None, is_wrong: bool
) -> None:
    def day(number: int | None) -> datetime | None:
        return None if number is None else datetime(2026, 11, number, tzinfo=UTC)

    manifest = Manifest(program="1", box="two-level-9", made=datetime(2026, 11, made, tzinfo=UTC), files=())
    ready = Restore(Home(Path(), Path()), manifest, (), (), Played(1, day(brought)), Played(1, day(here)))

    assert clock_was_wrong(ready, datetime(2026, 11, 5, tzinfo=UTC)) is is_wrong


def test_no_bar_is_drawn_over_the_question(call: Shutbox, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    file = saved(call)
    seen = []

    @contextmanager
    def progress(work: str) -> Iterator[Callable[[float], None]]:
        yield lambda done: None
        seen.append(work)

    def lines() -> AsyncIterator[str]:
        seen.append("asked")
        return typed("n")

    monkeypatch.setattr("controller.cli.backup.show_progress", progress)
    monkeypatch.setattr("controller.cli.backup.typed_lines", lines)

    call("restore", file)

    assert seen == ["Checking", "asked"]


def test_a_script_is_asked_nothing(call: Shutbox, home: Home) -> None:
    status, out, _ = call("restore", saved(call), "--yes", "--json")

    [told] = answers(out)
    assert (status, told["restored"], told["box"]) == (0, True, "two-level-9")
    assert Path(told["before"]).is_dir()


def test_another_box_is_restored_only_by_a_word_more(call: Shutbox, home: Home) -> None:
    file = saved(call)
    home.settings.write_text('box = "classic-9"\n')

    status, _, err = call("restore", file, "--yes")
    assert status == 2
    assert "of the box two-level-9, and this one is classic-9; nothing was changed; --anyway" in err
    assert home.settings.read_text() == 'box = "classic-9"\n'

    status, _, err = call("restore", file, "--yes", "--anyway")
    assert status == 0
    assert "All the same: it is of the box two-level-9, and this one is classic-9." in err
    assert home.settings.read_text() == SETTINGS


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("restore /nowhere/at/all.tar.gz", "No such file"),
        ("restore", "Missing argument"),
        ("backup /nowhere/at/all.tar.gz", "/nowhere/at is no folder"),
        ("backup home/settings.toml", "exists; name another file"),
        ("restore home/settings.toml --yes", "is no backup"),
        ("restore home/dice --yes", "name the file of a backup"),
    ],
)
def test_a_wrong_call_is_one_line(call: Shutbox, words: str, says: str) -> None:
    status, out, err = call(*words.split())

    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert says in err
