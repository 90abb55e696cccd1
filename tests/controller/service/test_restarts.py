"""A cut of the power, a daemon that was killed, and one that ended in order are told apart without a clock."""

import asyncio
import logging
from contextlib import nullcontext
from pathlib import Path

import pytest

from controller.service.restarts import RunCounts, find_boot, note_run, read_runs


def run(path: Path, boot: str, error: BaseException | None = None) -> None:
    with note_run(path, boot):
        if error is not None:
            raise error


def die(path: Path, boot: str) -> None:
    """Run, and never come to note the end."""
    with note_run(path, boot):
        noted = path.read_bytes()
    path.write_bytes(noted)


def test_runs_are_counted_by_how_they_end(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    run(path, "first")
    die(path, "first")
    run(path, "first")
    die(path, "first")
    die(path, "second")
    run(path, "third")

    assert read_runs(path) == RunCounts(ended=3, killed=1, unplugged=2)


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (OSError(), RunCounts(failed=1)),
        (KeyboardInterrupt(), RunCounts(ended=1)),
        (asyncio.CancelledError(), RunCounts(ended=1)),
        (None, RunCounts(ended=1)),
    ],
)
def test_an_error_is_no_end_that_somebody_asked_for(
    tmp_path: Path, error: BaseException | None, found: RunCounts
) -> None:
    path = tmp_path / "runs.json"
    with pytest.raises(type(error)) if error is not None else nullcontext():
        run(path, "first", error)

    assert read_runs(path) == found


@pytest.mark.parametrize(("boot", "found"), [("first", RunCounts(killed=1)), ("second", RunCounts(unplugged=1))])
def test_who_looks_after_an_end_that_nobody_noted_is_told_of_it(tmp_path: Path, boot: str, found: RunCounts) -> None:
    die(tmp_path / "runs.json", "first")

    assert read_runs(tmp_path / "runs.json").settled(boot) == found


def test_a_damaged_note_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_text('{"ended": -1}')

    run(path, "first")

    assert read_runs(path) == RunCounts(ended=1)


def test_a_disk_that_takes_no_note_keeps_no_daemon_from_its_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        run(tmp_path / "gone" / "runs.json", "first")

    assert "could not be saved" in caplog.text


def test_this_computer_says_in_which_start_it_is() -> None:
    assert find_boot() == find_boot()
    assert len(find_boot()) in (0, 36)
