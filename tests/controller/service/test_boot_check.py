"""The boot check by itself: it imports no version, and what it cannot read keeps no daemon from starting."""

import ast
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.service import boot_check
from controller.service.boot_check import (
    PATIENCE_S,
    STARTED,
    STEADY_S,
    TRIAL,
    SystemdService,
    Trial,
    check_start,
    current_version,
    set_aside,
    watch,
)
from controller.service.trial import copy_journal
from tests.support.installed_box import Box
from tests.support.users import GROUP, SERVICE, folder_of_group, needs_root

SOURCE = Path(boot_check.__file__)


def test_it_imports_the_standard_library_only() -> None:
    nodes = list(ast.walk(ast.parse(SOURCE.read_text("utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    named = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}

    assert {name.partition(".")[0] for name in plain | named} <= sys.stdlib_module_names


def test_alone_in_a_folder_it_says_nothing_where_nothing_is_on_trial(tmp_path: Path) -> None:
    copy = tmp_path / "boot_check.py"
    copy.write_bytes(SOURCE.read_bytes())

    ended = subprocess.run([sys.executable, "-I", copy, "before-start"], capture_output=True, text=True, check=True)

    assert (ended.stdout, ended.stderr) == ("", "")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": "../..", "before": "1.0-00000000"}'])
@pytest.mark.parametrize("mark", [TRIAL, STARTED])
def test_a_trial_that_cannot_be_read_is_told_and_nothing_is_switched(tmp_path: Path, mark: str, content: str) -> None:
    copy = tmp_path / "boot_check.py"
    copy.write_bytes(SOURCE.read_bytes())
    (tmp_path / mark).write_text(content)

    ended = subprocess.run([sys.executable, "-I", copy, "before-start"], capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stdout, len(ended.stderr.splitlines())) == (1, "", 1)
    assert (tmp_path / mark).read_text() == content


def test_a_version_is_confirmed_once_it_has_been_ready_for_a_while(box: Box) -> None:
    mark_trial(box)

    assert "has come up" in watch(box.folder, box, now=lambda: box.time_s, wait=box.wait)
    assert STEADY_S <= box.time_s < STEADY_S + 1


def test_patience_ends_in_time_for_the_old_version_to_start_within_a_minute(box: Box) -> None:
    mark_trial(box)
    box.is_ready = False

    assert "did not come up" in watch(box.folder, box, now=lambda: box.time_s, wait=box.wait)
    assert box.time_s == pytest.approx(PATIENCE_S, abs=1)
    assert PATIENCE_S + 5 < 60  # TimeoutStopSec of systemd/shutbox.service


def test_a_second_watch_finds_nothing_to_do(box: Box) -> None:
    assert (watch(box.folder, box), check_start(box.folder)) == ("", "")


def test_a_journal_that_somebody_reads_is_not_set_aside(box: Box) -> None:
    aside = box.journal.with_name("aside.sqlite3")
    with closing(sqlite3.connect(box.journal)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM game").fetchone()
        box.play("meanwhile")
        with pytest.raises(sqlite3.OperationalError, match="is in use"):
            set_aside(box.journal, aside)

    assert (box.games(), aside.exists()) == ({"before", "meanwhile"}, False)


def test_a_journal_that_somebody_reads_keeps_no_box_from_going_back(box: Box) -> None:
    convert_on_trial(box)
    with closing(sqlite3.connect(box.journal)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM game").fetchone()
        box.play("meanwhile")
        box.is_ready = False
        watch(box.folder, box, now=lambda: box.time_s, wait=box.wait)
        box.play("afterwards")

    assert (box.is_ready, box.games()) == (True, {"before", "afterwards"})
    assert box.all_games() == {"before", "meanwhile", "afterwards"}
    assert box.journal.with_name("journal-format-6.mark").read_text() == "meanwhile"


@pytest.mark.parametrize("content", [b"", b"no journal " * 1000])
def test_a_journal_that_a_trial_has_spoilt_keeps_no_box_from_going_back(box: Box, content: bytes) -> None:
    convert_on_trial(box)
    box.journal.write_bytes(content)
    box.is_ready = False

    watch(box.folder, box, now=lambda: box.time_s, wait=box.wait)

    assert (box.is_ready, box.games()) == (True, {"before"})
    assert content in {path.read_bytes() for path in box.journal.parent.glob("journal-format-*.sqlite3")}


def test_whatever_fails_on_the_way_back_the_daemon_is_started(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    mark_trial(box)
    box.is_ready = False
    monkeypatch.setattr(boot_check, "go_back", fail)

    with pytest.raises(OSError, match="Read-only"):
        watch(box.folder, box, now=lambda: box.time_s, wait=box.wait)
    assert box.is_ready


@needs_root
def test_a_link_put_where_root_copies_the_journal_gives_nothing_of_root_away(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def plant(path: Path, **options: object) -> sqlite3.Connection:
        if str(path).endswith(".new"):
            os.unlink(path)
            os.symlink(secret, path)
        return connect(path, **options)  # type: ignore[call-overload,no-any-return]

    with folder_of_group(0o2770) as data:
        secret, journal = data.parent / "secret", journal_of_service(data)
        secret.touch(mode=0o600)
        monkeypatch.setattr(sqlite3, "connect", plant)
        with pytest.raises(sqlite3.Error):
            copy_journal(journal, data / "journal-format-5.sqlite3")

        assert (secret.read_bytes(), secret.stat().st_uid, secret.stat().st_mode & 0o777) == (b"", 0, 0o600)
        assert (os.geteuid(), os.getegid()) == (0, 0)


@needs_root
def test_a_copy_that_root_makes_is_for_the_group_as_the_journal_is() -> None:
    with folder_of_group(0o2770) as data:
        journal, copy = journal_of_service(data), data / "journal-format-5.sqlite3"
        journal.with_suffix(".mark").write_text("mark")
        journal.with_suffix(".mark").chmod(0o660)
        copy_journal(journal, copy)

        for path in (copy, copy.with_suffix(".mark")):
            status = path.stat()
            assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (SERVICE, GROUP, 0o660)


def fail(_: Path) -> str:
    raise OSError(30, "Read-only file system")


def journal_of_service(data: Path) -> Path:
    journal = data / "journal.sqlite3"
    with closing(sqlite3.connect(journal)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript("CREATE TABLE game (id INTEGER PRIMARY KEY); PRAGMA user_version = 5")
    os.chown(journal, SERVICE, GROUP)
    journal.chmod(0o660)
    return journal


def convert_on_trial(box: Box) -> None:
    """The version that runs has been started on trial, and has converted the journal."""
    kept = box.journal.with_name("journal-format-5.sqlite3")
    copy_journal(box.journal, kept)
    mark_trial(box, kept)
    with closing(sqlite3.connect(box.journal)) as db:
        db.execute("PRAGMA user_version = 6")


def mark_trial(box: Box, kept: Path | None = None) -> None:
    """The version that runs has just been started on trial."""
    version = str(box.layout.current())
    trial = Trial(version, version, str(box.journal), 5, str(kept) if kept else None)
    (box.folder / STARTED).write_bytes(trial.dump())


def test_the_guard_of_the_other_version_is_started_anew_before_the_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def run(words: list[str], *, check: bool) -> subprocess.CompletedProcess[bytes]:
        asked.append([*words[1:], str(check)])
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(subprocess, "run", run)
    SystemdService().start()
    assert asked == [
        ["reset-failed", "shutbox-guard.service", "False"],
        ["try-restart", "--no-block", "shutbox-guard.service", "False"],
        ["reset-failed", "shutbox.service", "False"],
        ["start", "--no-block", "shutbox.service", "False"],
    ]


def test_a_version_that_crashed_is_put_back_with_its_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(SystemdService, "renew_guard", lambda _service: asked.append("guard"))
    monkeypatch.setattr(boot_check, "__file__", str(tmp_path / "boot_check.py"))
    monkeypatch.setattr(sys, "argv", ["boot_check.py", "before-start"])
    boot_check.main()
    assert asked == []
    for version in ("1.0-00000000", "2.0-00000000"):
        (tmp_path / "versions" / version).mkdir(parents=True)
    (tmp_path / "current").symlink_to(Path("versions", "2.0-00000000"))
    trial = Trial("2.0-00000000", "1.0-00000000", str(tmp_path / "nowhere" / "journal.sqlite3"), 8, None)
    (tmp_path / TRIAL).write_bytes(trial.dump())
    boot_check.main()
    assert asked == [], "the first start of a version on trial, which has its guard"
    boot_check.main()
    assert (asked, current_version(tmp_path)) == (["guard"], "1.0-00000000")
