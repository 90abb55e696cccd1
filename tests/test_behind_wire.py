"""`pytest -m box` at a simulated box behind the wire, in processes of their own and in real time."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from controller.runtime.home import Home
from firmware.drivers.bus import chip_name
from hardware.box import load_box
from tests.on_box.visit import shutbox_command
from tests.test_house import ROOT
from vision.watching.evidence import find_evidence

FAULTS = ("unplugged:front-3", "stuck-shut:front-5", "silent:0x21", "camera:frozen")
NAMED = ("H-301 front-3: ", "H-302 front-5: ", "H-202 0x21: ", "V-101 camera: ")


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    return Home(folder, folder, fixed=True)


@contextmanager
def mock_box(home: Home, *words: str) -> Iterator[None]:
    env = os.environ | {"SHUTBOX_HOME": str(home.data)}
    command = shutbox_command("mock-box", "--seed", "1", *words)
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "is at" in process.stderr.readline()
        try:
            yield
        finally:
            process.terminate()


def visit_behind_wire(home: Home, *words: str) -> tuple[int, str, str]:
    """The exit status of `pytest -m box`, what it prints, and its report."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SHUTBOX_TEST", "PYTEST"))}
    report = home.data / "report.md"
    command = (sys.executable, "-m", "pytest", "-m", "box", "-p", "no:cacheprovider", f"--wire={home.data}")
    done = subprocess.run(
        (*command, f"--report={report}", *words), cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, report.read_text("utf-8") if report.exists() else ""


@pytest.mark.long
def test_a_simulated_box_behind_the_wire_passes(home: Home) -> None:
    with mock_box(home):
        status, out, report = visit_behind_wire(home, "--throws=5")
    assert status == 0, out
    assert " 0 FAIL, 3 skipped, 0 not reached.**" in report
    assert "wrong 0, asked 0, right 5 of 5" in report
    assert len(find_evidence(home.data / "on-hardware")) == 5
    assert report.count("| down and up in time (slow: three times) | down 0.") == len(load_box("two-level-9").tile_ids)


@pytest.mark.long
def test_a_computer_alone_fills_in_the_rows_that_need_no_box(home: Home) -> None:
    with mock_box(home, "--faults", ",".join(f"silent:{chip_name(chip)}" for chip in load_box("two-level-9").chips)):
        status, out, report = visit_behind_wire(home, "--throws=2")
    assert status == 0, out
    rows = [line.strip("| ").split(" | ") for line in report.splitlines() if line.endswith((" pass |", " skipped |"))]
    alone = {row[0] for row in rows if "no chip answers: the computer is alone" in row[-2]}
    passed = {row[0].removesuffix(" °") for row in rows if row[-1] == "pass"}
    assert passed >= {"opening", "supply and temperature", "edges", "scan", "picture", "throws"}
    assert alone >= {"chip 0x40", "sensors of front-1", "servo of back-9", "way of back-9", "everything else", "errors"}
    assert not any(part.endswith("°") for part in alone)


@pytest.mark.long
def test_four_faults_are_named_by_part_and_code(home: Home) -> None:
    with mock_box(home, "--faults", ",".join(FAULTS)):
        status, out, report = visit_behind_wire(home, "--throws=2")
    assert status == 1
    failed = [line for line in report.splitlines() if line.startswith("- **")]
    for named in NAMED:
        assert named in out
        assert any(named in line for line in failed), named
    # What works is not blamed.
    blamed = {line.split("**")[1].partition(" of ")[2] for line in failed}
    assert blamed - {""} == {"front-3", "front-5"}
