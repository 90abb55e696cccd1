"""`shutbox selftest` from end to end: checks, the page, the book of the tiles."""

import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.errors import JournalDamaged
from controller.journal.copies import check_home
from controller.runtime.home import Home
from firmware.selftest.wear import WearFile
from hardware.sim.faults import FAULTS
from tests.controller.conftest import Shutbox


def selftest(shutbox: Shutbox, *words: str) -> tuple[dict[str, Any], int]:
    status, out, _ = shutbox("selftest", "--mock", "--json", *words)
    return json.loads(out), status


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path, fixed=True)


def test_a_sound_box_passes_and_its_times_are_kept(shutbox: Shutbox, home: Home) -> None:
    assert selftest(shutbox) == ({"passed": True, "findings": [], "untested": []}, 0)
    (test,) = WearFile(home.wear("two-level-9", mock=True), "two-level-9").book.tests
    assert test.passed
    assert len(test.times_s) == 18
    assert all(down and up for down, up in test.times_s.values())


@pytest.mark.parametrize(
    ("how", "code", "untested"), [("missing", "C-103", 0), ("damaged", "C-102", 18), ("foreign", "C-102", 18)]
)
def test_a_calibration_that_is_not_there_or_cannot_be_used_is_found(
    shutbox: Shutbox, how: str, code: str, untested: int
) -> None:
    told, status = selftest(shutbox, "--faults", f"calibration:{how}")
    (finding,) = told["findings"]
    assert (finding["code"], finding["part"], status) == (code, "calibration", 1)
    assert len(told["untested"]) == untested
    kind = FAULTS["calibration"]
    assert dict(zip(kind.part.split("|"), kind.code.split("|"), strict=True))[how] == code


def test_the_page_is_written_and_shows_the_tests_before(shutbox: Shutbox, tmp_path: Path) -> None:
    selftest(shutbox)
    page = tmp_path / "page.html"
    told, status = selftest(shutbox, "--faults", "jam:front-7", "--report", str(page))
    assert (told["passed"], status) == (False, 1)
    text = page.read_text()
    assert "H-301" in text
    assert text.count("<line ") == 2 * 16, "the times of the test before, of every tile that moves both ways now"


def test_a_page_that_cannot_be_written_is_one_line_after_the_findings(shutbox: Shutbox) -> None:
    status, out, err = shutbox("selftest", "--mock", "--report", "/dev/full")
    assert status == 2
    assert "Self-test passed." in out
    assert "No space left" in err.splitlines()[-1]


def test_a_damaged_journal_is_a_finding(home: Home) -> None:
    assert list(check_home(home)) == []
    home.journal.write_bytes(b"no journal" * 100)
    (finding,) = check_home(home)
    assert (finding.code, finding.part) == (JournalDamaged.code, "journal")


def test_a_disk_that_can_only_be_read_is_called_so_and_not_full(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = SimpleNamespace(f_flag=os.ST_RDONLY)
    monkeypatch.setattr(os, "statvfs", lambda _: closed)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    (finding,) = check_home(home)
    assert (finding.code, finding.seen) == ("C-315", "it can only be read")


def test_a_computer_with_little_memory_is_a_finding(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.journal.copies.memory_bytes", lambda: 426_000_000)
    [fault] = check_home(home)
    assert (fault.code, fault.part, fault.seen) == ("C-325", "memory", "426 MB")


def test_games_in_memory_are_a_finding(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.journal.copies.memory_behind", lambda _folder: "tmpfs at /var")
    [fault] = check_home(home)
    assert (fault.code, fault.part, fault.seen) == ("C-315", "disk", "it is in memory (tmpfs at /var)")
    assert "overlayroot=tmpfs:recurse=0" in fault.cure


def test_a_page_in_no_folder_is_refused_before_the_box_is_tested(shutbox: Shutbox, tmp_path: Path) -> None:
    status, out, err = shutbox("selftest", "--mock", "--report", str(tmp_path / "no" / "page.html"))
    assert (status, out) == (2, "")
    assert "--report" in err
    assert "is no folder" in err


def test_a_calibration_that_cannot_be_used_has_its_page_too(shutbox: Shutbox, home: Home, tmp_path: Path) -> None:
    (tmp_path / "calibration.toml").write_text("no calibration")
    page = tmp_path / "page.html"
    told, status = selftest(shutbox, "--report", str(page))
    assert (status, len(told["untested"])) == (1, 18)
    assert "C-102" in page.read_text()
    (test,) = WearFile(home.wear("two-level-9", mock=True), "two-level-9").book.tests
    assert not test.passed


def test_what_wears_is_told_in_words(shutbox: Shutbox, home: Home) -> None:
    wear = WearFile(home.wear("two-level-9", mock=True), "two-level-9")
    for _ in range(20):
        wear.note_game()
    wear.write()
    status, out, _ = shutbox("selftest", "--mock", "--faults", "silent:0x41")
    assert status == 1
    assert "back-1 was not seen moving for 20 games" in out
    assert "front-1 was not" not in out, "the test has seen it move"


PROFILE = """\
name = "{name}"
summary = "Two tiles"
rows = 1
columns = 2

[panel]
output_enable = "GPIO22"

[tiles]
front-1 = {{ servo = "0x40/3", shut = "GPIO4" }}
front-2 = {{ servo = "0x40/5", shut = "GPIO5" }}
"""


@pytest.mark.parametrize("name", ["my-box", "classic-9"])
def test_the_box_of_a_file_is_tested_and_no_other_of_its_name(shutbox: Shutbox, tmp_path: Path, name: str) -> None:
    file = tmp_path / "box.toml"
    file.write_text(PROFILE.format(name=name))
    status, _, err = shutbox("selftest", "--mock", "--box", str(file))
    assert status == 0
    assert "column 2: front-2 went down and up" in err
    assert "column 3" not in err
    status, _, err = shutbox("selftest", "--mock", "--box", str(file), "--faults", "lid:closed")
    assert (status, "allowed are none" in err) == (2, True)


@pytest.mark.parametrize("name", ["", "folder"])
def test_what_is_no_file_for_a_page_is_refused_before_a_tile_moves(
    shutbox: Shutbox, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    status, out, err = shutbox("selftest", "--mock", "--report", name)
    assert (status, out) == (2, "")
    assert "name a file for the page" in err


def test_a_page_goes_where_a_link_leads(shutbox: Shutbox, tmp_path: Path) -> None:
    (tmp_path / "kept.html").write_text("old")
    (tmp_path / "link.html").symlink_to(tmp_path / "kept.html")
    assert shutbox("selftest", "--mock", "--report", str(tmp_path / "link.html"))[0] == 0
    assert (tmp_path / "link.html").is_symlink()
    assert "Self-test of two-level-9" in (tmp_path / "kept.html").read_text()


def test_a_book_that_cannot_be_written_does_not_change_the_answer(shutbox: Shutbox, home: Home) -> None:
    book = home.wear("two-level-9", mock=True)
    book.with_name(f".{book.name}.new").mkdir()
    status, out, err = shutbox("selftest", "--mock")
    assert (status, out.splitlines()[-1]) == (0, "Self-test passed.")
    assert "the book of the tiles is not written" in err


@pytest.mark.parametrize("words", ["", ",", " , "])
def test_faults_without_a_name_are_refused(shutbox: Shutbox, words: str) -> None:
    status, _, err = shutbox("selftest", "--mock", "--faults", words)
    assert status == 2
    assert "names no fault" in err
