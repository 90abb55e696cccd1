"""The log: words for a terminal, priorities for the journal that systemd connects."""

import os
import pty
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

from controller.runtime.output import describe_failure

TELLS = """
import logging
from controller.runtime.log import start_log
start_log()
log = logging.getLogger("box")
log.debug("nobody asked")
log.info("open")
log.warning("late")
try:
    1 / 0
except ArithmeticError:
    log.exception("broken")
"""


def told(place: Path, *, journal: bool) -> list[str]:
    """What a process tells on standard error, which is said to be the journal's, or that of somebody else."""
    with place.open("w+") as stream:
        stat = os.fstat(stream.fileno())
        named = f"{stat.st_dev}:{stat.st_ino if journal else stat.st_ino + 1}"
        env = os.environ | {"JOURNAL_STREAM": named}
        subprocess.run([sys.executable, "-P", "-c", TELLS], env=env, stderr=stream, check=True)
    return place.read_text().splitlines()


def shown_at_a_terminal(columns: int, program: str = TELLS) -> list[str]:
    """What a process shows on a terminal that is so wide."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    env = {name: value for name, value in os.environ.items() if name != "JOURNAL_STREAM"}
    subprocess.run([sys.executable, "-P", "-c", program], env=env, stderr=theirs, check=True)
    os.close(theirs)
    shown = b""
    with suppress(OSError), os.fdopen(ours, "rb", 0) as screen:  # a terminal that nobody has open cannot be read
        while part := screen.read(4096):
            shown += part
    return shown.decode().splitlines()


def test_the_journal_is_told_the_priority_of_every_line(tmp_path: Path) -> None:
    lines = told(tmp_path / "err", journal=True)

    assert lines[:3] == ["<6>box: open", "<4>box: late", "<3>box: broken: ZeroDivisionError: division by zero"]
    assert lines[3] == "<7>Traceback (most recent call last):"
    assert lines[-1] == "<7>ZeroDivisionError: division by zero"
    assert all(line.startswith("<7>") for line in lines[3:])


def test_a_file_has_the_traceback_behind_the_words(tmp_path: Path) -> None:
    lines = told(tmp_path / "err", journal=False)

    assert lines[:3] == [
        "INFO box: open",
        "WARNING box: late",
        "ERROR box: broken: ZeroDivisionError: division by zero",
    ]
    assert (lines[3], lines[-1]) == ("Traceback (most recent call last):", "ZeroDivisionError: division by zero")


def test_who_reads_a_terminal_is_told_in_words() -> None:
    assert shown_at_a_terminal(80) == [
        "INFO box: open",
        "WARNING box: late",
        "ERROR box: broken: ZeroDivisionError: division by zero",
    ]


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_at_a_terminal_is_longer_than_it_is_wide(columns: int) -> None:
    program = TELLS + f"log.warning({'a warning of many words, ' * 8!r})\n"

    lines = shown_at_a_terminal(columns, program)

    assert len(lines) > 5
    assert max(map(len, lines)) <= columns
    assert [line.startswith("  ") for line in lines[-2:]] == [True, True]


def test_of_a_group_of_errors_the_first_is_named() -> None:
    error = ExceptionGroup("tasks", [ExceptionGroup("more", [ValueError("no\n dice")]), OSError(5, "worn out")])

    assert describe_failure(error) == "ValueError: no dice"
