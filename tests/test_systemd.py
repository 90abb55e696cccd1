"""The unit that runs the daemon on a box."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_house import ROOT

UNIT = ROOT / "systemd" / "shutbox.service"


ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(ANALYZE is None, reason="this machine has no systemd-analyze")
def test_an_installed_copy_of_the_unit_verifies_without_a_word(tmp_path: Path) -> None:
    installed = tmp_path / "shutbox.service"
    program = str(Path(sys.executable).parent / "shutbox")
    installed.write_text(UNIT.read_text("utf-8").replace("/opt/shutbox/bin/shutbox", program))

    result = subprocess.run([str(ANALYZE), "verify", str(installed)], capture_output=True, text=True, check=False)

    about_it = [line for line in result.stderr.splitlines() if "shutbox" in line]
    assert (result.returncode, about_it) == (0, [])


@pytest.mark.parametrize(
    "line",
    ["Type=notify", r"WatchdogSec=\d+", "User=shutbox", r"ExecStopPost=-?\S+/shutbox park", "Restart=on-failure"],
)
def test_the_unit_says(line: str) -> None:
    assert re.search(f"^{line}$", UNIT.read_text("utf-8"), re.MULTILINE)
