"""The units that run the daemon, its guard and its voice on a box."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.runtime.home import Home, find_home
from controller.runtime.output import Exit
from controller.settings import Web
from tests.test_house import ROOT

UNIT = ROOT / "systemd" / "shutbox.service"
GUARD = ROOT / "systemd" / "shutbox-guard.service"
TRIAL = ROOT / "systemd" / "shutbox-trial.service"
VOICE = ROOT / "systemd" / "shutbox-voice.service"
BRIDGE = ROOT / "systemd" / "shutbox-bridge.service"
PORT = ROOT / "systemd" / "shutbox-web.socket"
AVAHI = ROOT / "systemd" / "avahi.service"
TMPFILES = ROOT / "systemd" / "tmpfiles.conf"
MOST_EXPOSED = 1.2  # of 10, as systemd-analyze counts
MOST_EXPOSED_BRIDGE = 1.5  # it opens connections

ANALYZE = shutil.which("systemd-analyze") or ""
MAKE = shutil.which("make") or ""


needs_analyze = pytest.mark.skipif(not ANALYZE, reason="this machine has no systemd-analyze")


@needs_analyze
def test_installed_copies_of_the_units_verify_without_a_word(tmp_path: Path) -> None:
    programs = Path(sys.executable).parent
    units = (UNIT, GUARD, TRIAL, VOICE, BRIDGE, PORT)
    installed = [tmp_path / unit.name for unit in units]
    for unit, copy in zip(units, installed, strict=True):
        copy.write_text(unit.read_text("utf-8").replace("/opt/shutbox/current/bin", str(programs)))

    command = [ANALYZE, "verify", *map(str, installed)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    about_it = [line for line in result.stderr.splitlines() if "shutbox" in line]
    assert (result.returncode, about_it) == (0, [])


@needs_analyze
@pytest.mark.parametrize("unit", [UNIT, GUARD, VOICE, BRIDGE], ids=lambda unit: unit.name)
def test_a_unit_is_exposed_to_little(unit: Path) -> None:
    most = MOST_EXPOSED_BRIDGE if unit == BRIDGE else MOST_EXPOSED
    command = [ANALYZE, "security", "--offline=true", f"--threshold={most * 10:.0f}", "--no-pager", str(unit)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "line",
    [
        "Type=notify",
        r"WatchdogSec=\d+",
        "Restart=always",
        r"RestartSec=100ms",
        "User=shutbox",
        "StateDirectory=shutbox",
        "RuntimeDirectory=shutbox-guard",
        r"ExecStart=\S+/python -P -m controller.box.guard",
    ],
)
def test_the_units_guard_says(line: str) -> None:
    assert re.search(f"^{line}$", GUARD.read_text("utf-8"), re.MULTILINE)


def test_the_port_is_that_of_the_settings_and_not_for_all_the_world() -> None:
    words = re.findall(r"^(\w+)=(.*)$", PORT.read_text("utf-8"), re.MULTILINE)
    said, web = dict(words), Web()

    assert said["ListenStream"] == f"[{web.address}]:{web.port}"
    assert (said["Service"], said["PartOf"], said["IPAddressDeny"]) == ("shutbox.service", "shutbox.service", "any")
    assert f"<port>{web.port}</port>" in AVAHI.read_text("utf-8")
    # The daemon is given its port; it may still open none.
    assert "\nRestrictAddressFamilies=AF_UNIX AF_NETLINK\n" in UNIT.read_text("utf-8")
    assert "\nPrivateNetwork=yes\n" in UNIT.read_text("utf-8")


def test_the_daemon_finds_the_guard_where_systemd_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHUTBOX_HOME", raising=False)
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/shutbox")
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/shutbox")
    daemon = find_home()
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/shutbox-guard")
    assert find_home().guard_socket in daemon.guard_sockets
    assert find_home().settings == daemon.settings


@pytest.mark.parametrize("unit", [UNIT, GUARD], ids=lambda unit: unit.name)
def test_a_unit_and_who_comes_before_it_make_the_same_folder_for_the_group(unit: Path) -> None:
    words = dict(re.findall(r"^(\w+)=(\S+)$", unit.read_text("utf-8"), re.MULTILINE))
    [made] = [line.split() for line in TMPFILES.read_text("utf-8").splitlines() if not line.startswith("#")]

    folder, mode = f"/var/lib/{words['StateDirectory']}", words["StateDirectoryMode"]
    assert made == ["d", folder, mode, words["User"], words["Group"], "-"]
    assert (words["UMask"], find_home_of_service(folder).fixed) == ("0007", False)


def find_home_of_service(folder: str) -> Home:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SHUTBOX_HOME", raising=False)
        patch.setenv("STATE_DIRECTORY", folder)
        return find_home()


@pytest.mark.parametrize(
    "line",
    [
        "Type=notify",
        r"WatchdogSec=\d+",
        "User=shutbox",
        r"ExecStopPost=-\S+/python -P -m controller\.box\.park",
        r"ExecStartPre=-\+/usr/bin/python3 -I \S+/boot_check.py before-start",
        r"Wants=shutbox-trial\.service",
        "Restart=on-failure",
        f"SuccessExitStatus={Exit.AGAIN}",
        f"RestartForceExitStatus={Exit.AGAIN}",
        "CPUWeight=1000",
        "MemoryMax=400M",
        "TasksMax=128",
        "RestartSec=100ms",
        "StartLimitIntervalSec=0",
        "TimeoutStopSec=5",
        "WatchdogSignal=SIGKILL",
        r"Wants=shutbox-guard\.service",
        r"After=shutbox-guard\.service",
        r"Wants=shutbox-voice\.service",
        r"Wants=shutbox-bridge\.service",
    ],
)
def test_the_unit_says(line: str) -> None:
    assert re.search(f"^{line}$", UNIT.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "line",
    [
        "ConditionPathExists=/usr/bin/espeak-ng",
        # Stopped and started with the daemon, and nothing that the daemon waits for when it is to park.
        "PartOf=shutbox.service",
        r"ExecStart=\S+/shutbox speak --if-aloud",
        "Restart=on-failure",
        "RestartPreventExitStatus=2",
        "SupplementaryGroups=audio",
        "DevicePolicy=closed",
        "PrivateNetwork=yes",
        "RestrictAddressFamilies=AF_UNIX",
    ],
)
def test_the_units_voice_says(line: str) -> None:
    assert re.search(f"^{line}$", VOICE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    "line",
    [
        # Stopped and started with the daemon, and nothing that the daemon waits for when it is to park.
        "PartOf=shutbox.service",
        r"ExecStart=\S+/shutbox bridge --if-on",
        "Restart=on-failure",
        "RestartPreventExitStatus=2",
        "PrivateDevices=yes",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    ],
)
def test_the_units_bridge_says(line: str) -> None:
    assert re.search(f"^{line}$", BRIDGE.read_text("utf-8"), re.MULTILINE)


def test_the_voice_has_the_sound_cards_alone_and_keeps_nobody_waiting() -> None:
    lines = VOICE.read_text("utf-8").splitlines()

    assert [line for line in lines if line.startswith("DeviceAllow=")] == ["DeviceAllow=char-alsa rw"]
    assert not [line for line in lines if line.startswith(("StateDirectory", "ReadWritePaths", "After=", "Before="))]


def test_the_service_has_its_groups_also_where_it_is_not_started_by_its_unit() -> None:
    groups, of_voice = groups_of(UNIT), groups_of(VOICE)
    lines = (ROOT / "systemd" / "shutbox.conf").read_text("utf-8").splitlines()

    assert [f"m shutbox {group}" for group in groups] == [line for line in lines if line.startswith("m ")]
    # A plain Debian lacks some of them, and systemd starts no service with a group that is not there.
    assert [f"g {group} - -" for group in (*groups, *of_voice)] == [line for line in lines if line.startswith("g ")]


def groups_of(unit: Path) -> list[str]:
    [named] = re.findall(r"^SupplementaryGroups=(.*)$", unit.read_text("utf-8"), re.MULTILINE)
    return str(named).split()


@pytest.mark.skipif(not MAKE, reason="this machine has no make")
def test_an_installation_elsewhere_starts_what_lies_there() -> None:
    steps = subprocess.run(
        [MAKE, "-n", "install", "PREFIX=/srv/box"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert "shutbox install dist/shutbox.tar --unsigned --prefix /srv/box --root /" in steps
