"""Machines with a card: a plain Debian with cloud-init, whose boot partition is a folder that the tool fills."""

import os
import platform
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.service.machine import Machine, boot
from tools.card import main as fill

CACHE = Path(os.environ.get("SHUTBOX_CARD", "/nowhere"))
UNIT = "shutbox-card"
BOOT = "boot/firmware"
# As on the image of Raspberry Pi OS: RPi-Distro/pi-gen, stage2/04-cloud-init/files/99_raspberry-pi.cfg.
_DATA_SOURCE = """datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
"""
_NO_METAL = "[Service]\nExecStart=\nExecStart=/opt/shutbox/current/bin/shutbox run --mock\n"
_ROWS: list[tuple[str, str]] = []

Note = Callable[[str, float, float], None]
MakeCard = Callable[..., Path]


@pytest.fixture(scope="session")
def make_card(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeCard]:
    """Make a machine that has never booted, and fill its boot partition by the tool with these options."""
    made = []

    def make(*options: str, files: dict[str, str] | None = None) -> Path:
        tree = tmp_path_factory.mktemp("card")  # systemd-nspawn knows a machine by the name of its folder
        made.append(tree)
        shutil.copytree(CACHE / "tree", tree, symlinks=True, dirs_exist_ok=True)
        put(tree, "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg", _DATA_SOURCE)
        put(tree, "etc/systemd/system/shutbox.service.d/no-metal.conf", _NO_METAL)
        for name, content in {"config.txt": "", "cmdline.txt": "console=tty1\n", **(files or {})}.items():
            put(tree, f"{BOOT}/{name}", content)
        fits = ("--machine", platform.machine(), "--keys", str(CACHE / "keys"))
        assert fill([str(tree / BOOT), str(CACHE / "shutbox.tar"), *fits, *options]) == 0
        return tree

    yield make
    for tree in made:
        shutil.rmtree(tree)


def put(tree: Path, name: str, content: str) -> None:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


@pytest.fixture
def console(tmp_path: Path) -> Path:
    return tmp_path / "console"


@pytest.fixture
def start(console: Path) -> Callable[[Path], AbstractContextManager[Machine]]:
    """Boot a card; what its machine shows on the console is in a file from the first line on."""

    @contextmanager
    def switch_on(tree: Path) -> Iterator[Machine]:
        # Services write only to a console that is a terminal.
        with console.open("wb") as shown, boot(tree, shown, "--console=read-only") as machine:
            yield machine

    return switch_on


@pytest.fixture
def note() -> Note:
    """Put seconds into the table, and check them against their limit."""

    def row(what: str, seconds: float, most_s: float) -> None:
        _ROWS.append((what, f"{seconds:.1f} s   at most {most_s:g} s"))
        assert seconds <= most_s

    return row


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    if _ROWS:
        terminalreporter.section("measured on this computer, which is no Pi")
        for what, measured in _ROWS:
            terminalreporter.write_line(f"{what:44} {measured}")
