"""The machine of these tests, with the units installed in it, and the table of what was measured."""

import hashlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.service.machine import NSPAWN, Machine, boot

Note = Callable[[str, float, str, float], None]
_ROWS: list[tuple[str, str, str]] = []

TREE = Path(os.environ.get("SHUTBOX_TREE", "/nowhere"))
FILE = "/opt/shutbox.tar"
# Of the lane's own, of the kernel's, and what any program leaves; accounts have copies and locks of Debian's own.
_NOT_COMPARED = {"opt/installer", "opt/wheels", "proc", "sys", "dev", "run", "tmp", "var/cache", "var/log", "root"}
UNITS = ("shutbox.service", "shutbox-guard.service")
VOICE = "shutbox-voice.service"


@pytest.fixture(scope="session")
def console(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("console") / "console"


class Installation(NamedTuple):
    """What `shutbox install` left of a plain Debian: its files before it, and after it was undone."""

    before: dict[str, str]
    after_undo: dict[str, str]
    said_again: str


def _shutbox(*words: str) -> str:
    command = [str(NSPAWN), str(TREE), "/opt/installer/bin/shutbox", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def _files() -> dict[str, str]:
    """Every file of the tree with its kind, mode, owner and, where something is installed, the sum of what is in it."""
    found = {}
    for top, folders, names in os.walk(TREE):
        here = Path(top).relative_to(TREE).as_posix()
        folders[:] = [
            name
            for name in folders
            if f"{here}/{name}".removeprefix("./") not in _NOT_COMPARED and name != "__pycache__"
        ]
        for name in (*folders, *names):
            path = Path(top, name)
            known = path.lstat()
            what = [oct(known.st_mode), str(known.st_uid), str(known.st_gid)]
            if path.is_symlink():
                what.append(str(path.readlink()))
            elif path.is_file():
                what.append(hashlib.sha256(path.read_bytes()).hexdigest())
            found[path.relative_to(TREE).as_posix()] = " ".join(what)
    return found


@pytest.fixture(scope="session")
def installation() -> Installation:
    """The program installed by its own command, undone, and installed once more."""
    before = _files()
    _shutbox("install", FILE, "--unsigned")
    _shutbox("install", "--undo")
    after_undo = _files()
    _shutbox("install", FILE, "--unsigned")
    return Installation(before, after_undo, _shutbox("install", FILE, "--unsigned"))


def have_no_metal(system: Path) -> None:
    """Have the units in this folder start the simulated box."""
    for unit in UNITS:
        place = system / unit
        place.write_text(place.read_text().replace("shutbox run\n", "shutbox run --mock\n"))


@pytest.fixture(scope="session")
def installed(installation: Installation) -> None:
    """The units unchanged but for `--mock`, and switched on."""
    system = TREE / "etc/systemd/system"
    have_no_metal(system)
    wants = system / "multi-user.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / UNITS[0]).symlink_to(f"/etc/systemd/system/{UNITS[0]}")


def _forget_files() -> None:
    """Have the kernel forget what it keeps of files, as after a real boot.

    Of a library that was just unpacked it maps far more pages than are used, and they count as the daemon's memory:
    50 MB of OpenCV in place of 19.
    """
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("1")


@pytest.fixture(scope="session")
def machine(installed: None, console: Path) -> Iterator[Machine]:
    """A machine that has just booted with the units."""
    _forget_files()
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
