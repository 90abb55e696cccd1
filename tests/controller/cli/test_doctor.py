"""`shutbox doctor`: to the terminal, into a file, or for a program."""

from pathlib import Path

import pytest

from tests.controller.conftest import Shutbox, answers


@pytest.fixture(autouse=True)
def _no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.cli.doctor.read_service_log", lambda lines: ("a line of the log",))


def test_a_report_goes_to_the_terminal(shutbox: Shutbox) -> None:
    status, out, err = shutbox("doctor")

    assert (status, err) == (0, "")
    assert "\nSettings\n  all as they come\n" in out
    assert out.endswith("\nLog\n  a line of the log\n")


def test_a_report_goes_into_a_file_and_never_over_one(shutbox: Shutbox, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"

    status, out, err = shutbox("doctor", str(file))
    assert (status, out) == (0, "")
    assert "before you pass it on" in err
    assert file.read_text("utf-8").endswith("\nLog\n  a line of the log\n")

    status, out, err = shutbox("doctor", str(file))
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert "name another file" in err


def test_a_program_is_told_the_same(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("doctor", "--json")

    [told] = answers(out)
    assert (status, told["log"], told["settings"]) == (0, ["a line of the log"], ["all as they come"])
