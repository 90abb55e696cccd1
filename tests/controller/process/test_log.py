"""The log: words for a terminal, priorities for the journal that systemd connects."""

import os
import subprocess
import sys
from pathlib import Path

TELLS = """
import logging
from controller.process import start_log
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


def test_the_journal_is_told_the_priority_of_every_line(tmp_path: Path) -> None:
    lines = told(tmp_path / "err", journal=True)

    assert lines[:3] == ["<6>box: open", "<4>box: late", "<3>box: broken"]
    assert lines[3:][-1] == "<3>ZeroDivisionError: division by zero"
    assert all(line.startswith("<3>") for line in lines[3:])


def test_who_reads_a_terminal_is_told_in_words(tmp_path: Path) -> None:
    lines = told(tmp_path / "err", journal=False)

    assert lines[:3] == ["INFO box: open", "WARNING box: late", "ERROR box: broken"]
