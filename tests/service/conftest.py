"""The machine of these tests, with the units installed in it, and the table of what was measured."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.service.machine import NSPAWN, Machine, boot

Note = Callable[[str, float, str, float], None]
_ROWS: list[tuple[str, str, str]] = []

TREE = Path(os.environ.get("SHUTBOX_TREE", "/nowhere"))
UNITS = ("shutbox.service", "shutbox-guard.service")


@pytest.fixture(scope="session")
def console(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("console") / "console"


@pytest.fixture(scope="session")
def installed() -> None:
    """The units as they come with the program, unchanged but for `--mock`, and what `make install` does about them."""
    share, system = TREE / "opt/shutbox/share/shutbox/systemd", TREE / "etc/systemd/system"
    for unit in UNITS:
        (system / unit).write_text((share / unit).read_text().replace("shutbox run\n", "shutbox run --mock\n"))
    wants = system / "multi-user.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / UNITS[0]).symlink_to(f"/etc/systemd/system/{UNITS[0]}")
    for name, place in (("shutbox.conf", "sysusers.d/shutbox.conf"), ("tmpfiles.conf", "tmpfiles.d/shutbox.conf")):
        (TREE / "usr/lib" / place).write_text((share / name).read_text())
    for made in (("systemd-sysusers", "shutbox.conf"), ("systemd-tmpfiles", "--create", "shutbox.conf")):
        subprocess.run([str(NSPAWN), str(TREE), *made], check=True, capture_output=True)


@pytest.fixture(scope="session")
def machine(installed: None, console: Path) -> Iterator[Machine]:
    """A machine that has just booted with the units."""
    with console.open("wb") as said, boot(TREE, said) as machine:
        machine.wait_active("shutbox", 0.0)
        yield machine


@pytest.fixture
def note() -> Note:
    """Put a row into the table, and check it against its limit."""

    def row(what: str, measured: float, unit: str, most: float) -> None:
        _ROWS.append((what, f"{measured:.1f} {unit}", f"{most:g} {unit}"))
        assert measured <= most

    return row


def _release() -> str:
    words = (TREE / "usr/lib/os-release").read_text()
    return words.partition('PRETTY_NAME="')[2].partition('"')[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    if _ROWS:
        terminalreporter.section(f"measured in {_release()}")
        for what, measured, most in _ROWS:
            terminalreporter.write_line(f"{what:44} {measured:>10}   at most {most}")
