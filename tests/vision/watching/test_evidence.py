"""The pictures of throws: kept in number and bytes, the oldest dropped, and never at the cost of a throw."""

import json
import os
import threading
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.frame import Pixels
from vision.reading import DieReading, Reading, Reason, read, refused
from vision.scoring import find_truth
from vision.watching.evidence import EvidenceFolder, Limits

PIXELS: Pixels = np.full((72, 128, 3), 90, np.uint8)
THROW = read((DieReading(3, (20.0, 30.0), 0.97, "white"), DieReading(5, (60.0, 30.0), 0.99, "red")))
LEANS = refused(Reason.COCKED, "One die leans.", at_px=(20.0, 30.0))
AT = datetime(2026, 11, 22, 21, 34, 10)
MANY = Limits(1000, 10**9)


def keep(folder: Path, readings: list[Reading], limits: Limits = MANY, pixels: Pixels = PIXELS) -> list[str]:
    """Keep these one after the other, each once the one before is written; the names of the pictures there are then."""
    for reading in readings:
        with EvidenceFolder(folder, limits, lambda: AT) as evidence:
            evidence.keep(pixels, reading)
    return sorted(path.name for path in folder.glob("*.jpg"))


def test_a_picture_lies_there_with_what_was_read_of_it(tmp_path: Path) -> None:
    assert keep(tmp_path / "evidence", [THROW, LEANS]) == [
        "000001-20261122-213410-3-5.jpg",
        "000002-20261122-213410-cocked.jpg",
    ]
    told = json.loads((tmp_path / "evidence/000001-20261122-213410-3-5.reading.json").read_text())
    assert (told["at"], told["verdict"], [die["value"] for die in told["dice"]]) == (AT.isoformat(), "read", [3, 5])
    picture = cv2.imread(str(tmp_path / "evidence/000001-20261122-213410-3-5.jpg"))
    assert picture is not None
    assert np.abs(picture.astype(int) - PIXELS).max() <= 2
    assert list((tmp_path / "evidence").glob(".*")) == [], "no half-written file"


def test_a_corrected_throw_has_its_truth_beside_it_and_both_go_together(tmp_path: Path) -> None:
    with EvidenceFolder(tmp_path, MANY, lambda: AT) as evidence:
        evidence.keep(PIXELS, THROW, (3, 6))
    picture = tmp_path / "000001-20261122-213410-3-5-was-3-6.jpg"
    truth = find_truth(picture)
    assert truth is not None
    assert (truth.values, truth.category, truth.must_refuse) == ((3, 6), "corrected", False)
    keep(tmp_path, [THROW], Limits(1, 10**9))
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".jpg", ".json"]
    assert find_truth(next(tmp_path.glob("*.jpg"))) is None


def test_nobody_else_on_the_machine_sees_the_pictures(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        keep(tmp_path / "evidence", [THROW])
    finally:
        os.umask(before)
    assert (tmp_path / "evidence").stat().st_mode & 0o777 == 0o750


def test_the_oldest_go_first_and_their_readings_with_them(tmp_path: Path) -> None:
    assert [name[:6] for name in keep(tmp_path, [THROW] * 5, Limits(3, 10**9))] == ["000003", "000004", "000005"]
    assert len(list(tmp_path.iterdir())) == 6


def test_bytes_are_bounded_too_and_the_last_one_always_stays(tmp_path: Path) -> None:
    size = sum(path.stat().st_size for path in _kept_once(tmp_path / "one").iterdir())
    assert len(keep(tmp_path / "two", [THROW] * 5, Limits(1000, 2 * size + 2))) == 2
    assert len(keep(tmp_path / "none", [THROW] * 3, Limits(1000, 1))) == 1


def _kept_once(folder: Path) -> Path:
    keep(folder, [THROW])
    return folder


def test_numbers_go_on_and_what_else_lies_there_is_let_alone(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    (tmp_path / "2026-summer.txt").write_bytes(b"x")
    keep(tmp_path, [THROW] * 2)
    keep(tmp_path, [LEANS] * 2, Limits(1, 10**9))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "000004-20261122-213410-cocked.jpg",
        "000004-20261122-213410-cocked.reading.json",
        "2026-summer.txt",
        "holiday.jpg",
    ]


def test_a_card_that_is_slow_costs_evidence_and_no_throw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gate, write = threading.Event(), Path.write_bytes

    def wait_and_write(path: Path, data: bytes) -> int:
        assert gate.wait(10)
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", wait_and_write)
    with EvidenceFolder(tmp_path, MANY, lambda: AT) as evidence:
        for _ in range(6):
            evidence.keep(PIXELS, THROW)
        gate.set()
    assert len(list(tmp_path.glob("*.jpg"))) == 4
    assert caplog.text.count("evidence picture dropped, writes pending=4") == 2


@pytest.mark.parametrize("room", [0, 1], ids=["for nothing", "for the picture alone"])
def test_a_full_card_is_told_and_nothing_half_done_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, room: int
) -> None:
    write, written = Path.write_bytes, []

    def fill(path: Path, data: bytes) -> int:
        written.append(path)
        if len(written) <= room:
            return write(path, data)
        write(path, data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill)
    pictures = keep(tmp_path, [THROW])
    assert len(pictures) == room
    assert sorted(path.name for path in tmp_path.iterdir()) == pictures
    assert f"file={tmp_path} error=No space left on device" in caplog.text


def test_what_a_cut_of_the_power_has_left_goes_and_pictures_of_others_stay(tmp_path: Path) -> None:
    (tmp_path / ".000007-20261122-213410-3-5.jpg.part").write_bytes(b"half")
    for name in ("2026-05-11 birthday.jpg", "12-wide.jpg", ".holiday.jpg.part"):
        (tmp_path / name).write_bytes(b"x" * 1000)
    keep(tmp_path, [THROW] * 3, Limits(2, 10**9))
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.endswith(".json")) == [
        ".holiday.jpg.part",
        "000002-20261122-213410-3-5.jpg",
        "000003-20261122-213410-3-5.jpg",
        "12-wide.jpg",
        "2026-05-11 birthday.jpg",
    ]


def test_after_the_last_number_of_six_digits_the_oldest_still_go_first(tmp_path: Path) -> None:
    for number in (999998, 999999):
        (tmp_path / f"{number}-20261122-213410-3-5.jpg").write_bytes(b"x")
    assert keep(tmp_path, [THROW] * 2, Limits(2, 10**9)) == [
        "1000000-20261122-213410-3-5.jpg",
        "1000001-20261122-213410-3-5.jpg",
    ]
