"""The units that run the daemon and its guard on a box."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.settings import find_home
from tests.test_house import ROOT

UNIT = ROOT / "systemd" / "shutbox.service"
GUARD = ROOT / "systemd" / "shutbox-guard.service"


ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(ANALYZE is None, reason="this machine has no systemd-analyze")
def test_installed_copies_of_the_units_verify_without_a_word(tmp_path: Path) -> None:
    programs = Path(sys.executable).parent
    installed = [tmp_path / unit.name for unit in (UNIT, GUARD)]
    for unit, copy in zip((UNIT, GUARD), installed, strict=True):
        copy.write_text(unit.read_text("utf-8").replace("/opt/shutbox/bin", str(programs)))

    command = [str(ANALYZE), "verify", *map(str, installed)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    about_it = [line for line in result.stderr.splitlines() if "shutbox" in line]
    assert (result.returncode, about_it) == (0, [])


@pytest.mark.parametrize(
    "line",
    [
        "Type=notify",
        r"WatchdogSec=\d+",
        "Restart=always",
        "StartLimitIntervalSec=0",
        "User=shutbox",
        "StateDirectory=shutbox",
        "RuntimeDirectory=shutbox-guard",
        r"ExecStart=\S+/python -P -m controller.box.guard",
    ],
)
def test_the_units_guard_says(line: str) -> None:
    assert re.search(f"^{line}$", GUARD.read_text("utf-8"), re.MULTILINE)


def test_the_daemon_finds_the_guard_where_systemd_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHUTBOX_HOME", raising=False)
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/shutbox")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/shutbox")
    daemon = find_home()
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/shutbox-guard")
    assert find_home().guard_socket in daemon.guard_sockets
    assert find_home().settings == daemon.settings


@pytest.mark.parametrize(
    "line",
    [
        "Type=notify",
        r"WatchdogSec=\d+",
        "User=shutbox",
        r"ExecStopPost=-?\S+/shutbox park",
        "Restart=on-failure",
        r"Wants=shutbox-guard\.service",
        r"After=shutbox-guard\.service",
    ],
)
def test_the_unit_says(line: str) -> None:
    assert re.search(f"^{line}$", UNIT.read_text("utf-8"), re.MULTILINE)
