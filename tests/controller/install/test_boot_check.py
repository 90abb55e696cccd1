"""The boot check by itself: it imports no version, and what it cannot read keeps no daemon from starting."""

import ast
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.install import boot_check
from controller.install.boot_check import PATIENCE_S, STARTED, STEADY_S, TRIAL, Trial, check_start, set_aside, watch
from tests.support.installed_box import Box

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
    assert PATIENCE_S + 10 < 60  # TimeoutStopSec of systemd/shutbox.service


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


def mark_trial(box: Box) -> None:
    """The version that runs has just been started on trial."""
    version = str(box.layout.current())
    trial = Trial(version, version, str(box.journal), 5, None)
    (box.folder / STARTED).write_bytes(trial.dump())
