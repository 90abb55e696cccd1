"""`shutbox selftest` from end to end: papers, the page, the book of the tiles."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.errors import JournalDamaged
from controller.papers import home_papers
from controller.settings import Home
from controller.wear import WearFile
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


def test_a_page_that_cannot_be_written_is_one_line_after_the_findings(shutbox: Shutbox, tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    status, out, err = shutbox("selftest", "--mock", "--report", str(tmp_path / "page.html"))
    assert status == 2
    assert "Self-test passed." in out
    assert "page.html" in err.splitlines()[-1]


def test_a_damaged_journal_is_a_finding(home: Home) -> None:
    assert list(home_papers(home)) == []
    home.journal.write_bytes(b"no journal" * 100)
    (paper,) = home_papers(home)
    assert (paper.code, paper.part) == (JournalDamaged.code, "journal")


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
        wear.game_begins()
    status, out, _ = shutbox("selftest", "--mock", "--faults", "silent:0x41")
    assert status == 1
    assert "back-1 was not seen moving for 20 games" in out
    assert "front-1 was not" not in out, "the test has seen it move"
