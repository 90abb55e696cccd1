"""The units of systemd/ in an emulated machine, on its own header and bus: ready, killed, hung, cut off, resumed."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.whole_games import WHOLE_GAMES
from tests.pi.image import FILM, make_disk
from tests.pi.machine import Machine, boot_plain
from tests.pi.user_land import CACHE, TREE

SYSTEM = "etc/systemd/system"
# As on a Pi, but for what a simulated box and a film make different.
FILES = {
    "etc/fstab": "/dev/vda / ext4 defaults 0 0\n",
    "etc/udev/rules.d/99-pi-box.rules": 'KERNEL=="i2c-1", GROUP="i2c", MODE="0660"\n',
    "var/lib/shutbox/settings.toml": f'camera = "files:/{FILM.relative_to(TREE)}"\n',
    f"{SYSTEM}/pi-box.service": """\
[Unit]
Before=shutbox-guard.service
[Service]
Environment=PYTHONPATH=/shutbox:/opt/site
ExecStart=/usr/bin/python3 -m tests.pi.box /run/box.sock /var/lib/pi-box.json
ExecStartPost=/bin/sh -c 'until [ -e /dev/i2c-1 ]; do sleep 0.1; done'
""",
    f"{SYSTEM}/shell.service": """\
[Service]
ExecStart=/bin/sh -c 'stty -echo; echo The shell is there.; exec sh'
StandardInput=tty
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyAMA0
Environment=PYTHONPATH=/shutbox PS1=
""",
    # The bus is a device of CUSE, which has a number and a name of its own; and nobody has calibrated this box.
    f"{SYSTEM}/shutbox.service.d/pi.conf": """\
[Service]
DeviceAllow=char-i2c-1 rw
ExecStart=
ExecStart=/opt/shutbox/current/bin/shutbox run --anyway
""",
}
WANTED = ("pi-box", "shell", "shutbox")
# Instructions are nanoseconds of the machine's clock here too, but an idle machine waits for the commands of this one.
_PACED = ("-icount", "shift=0,sleep=on")
_PATIENCE_S = 1800.0
_MIB = 2**20
_GROWS_MIB = 10.0
_SOCKET = "/run/shutbox/shutbox.sock"


@pytest.fixture
def disk() -> Iterator[Path]:
    """A card of its own, on which what is written stays."""
    links = {f"{SYSTEM}/multi-user.target.wants/{unit}.service": f"../{unit}.service" for unit in WANTED}
    links |= {f"{SYSTEM}/default.target": "/usr/lib/systemd/system/multi-user.target"}
    links |= {f"{SYSTEM}/{unit}": "/dev/null" for unit in ("serial-getty@ttyAMA0.service", "getty.target")}
    place = make_disk(CACHE / "card.img", FILES, links)
    yield place
    place.unlink()


class Box:
    """The machine with the units, by the shell at its console."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        machine.wait_for("The shell is there", _PATIENCE_S)

    def run(self, command: str) -> list[str]:
        status, said = self.machine.ask(command, _PATIENCE_S)
        assert status == 0, f"{command}: {said}"
        return said

    def show(self, unit: str, name: str) -> str:
        return self.run(f"systemctl show {unit} --property={name} --value")[-1]

    def until_ready(self, other_than: str = "0") -> str:
        """Wait until the daemon is ready, in another process than that; return its number."""
        another = f'[ "$(systemctl show shutbox --property=MainPID --value)" != {other_than} ]'
        self.run(f"until {another} && systemctl is-active --quiet shutbox; do sleep 0.5; done")
        return self.show("shutbox", "MainPID")

    def play(self, events: int) -> dict[str, Any]:
        said = self.run(f"/opt/shutbox/current/bin/python -m tests.pi.play {_SOCKET} to {events}")
        told: dict[str, Any] = json.loads(said[-1])
        return told


def boot(disk: Path) -> AbstractContextManager[Machine]:
    return boot_plain("/usr/lib/systemd/systemd", *_PACED, words="systemd.show_status=no", disk=disk, keeps=True)


def test_the_box_lives_on_under_systemd(disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def note(moment: str) -> None:
        with capsys.disabled():
            print(f"\n{moment}: {memory_of(box)}", flush=True)

    with boot(disk) as machine:
        box = Box(machine)
        box.run("until [ -e /dev/i2c-1 ]; do sleep 0.5; done")
        daemon = box.until_ready()
        note(f"ready {int(box.show('shutbox', 'ActiveEnterTimestampMonotonic')) / 1e6:.1f} s after the kernel")
        before = box.play(12)
        assert before["event"] >= 12, before
        note("in a game")

        for _ in range(10):
            box.run("systemctl kill --signal=KILL shutbox")
            daemon = box.until_ready(daemon)
            assert box.play(0) == before

        # One that hangs is killed by systemd's watchdog.
        box.run("systemctl kill --signal=STOP shutbox")
        daemon = box.until_ready(daemon)
        assert box.play(0) == before

        guard = box.show("shutbox-guard", "MainPID")
        box.run("systemctl kill --signal=KILL shutbox-guard")
        box.run('until [ "$(systemctl show shutbox-guard --property=MainPID --value)" -gt 0 ]; do sleep 0.2; done')
        assert box.show("shutbox-guard", "MainPID") != guard
        after = box.play(before["event"] + 4)
        assert after["event"] > before["event"], after
        note("started anew for the last time, in the same game")
        # Here the power is cut.

    with boot(disk) as machine:
        box = Box(machine)
        box.until_ready()
        resumed = box.play(0)
        assert {**resumed, "tiles": None, "phase": None} == {**after, "tiles": None, "phase": None}
        assert box.play(resumed["event"] + 2)["event"] > resumed["event"]


def test_games_one_after_another_leave_nothing_in_memory(disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In the memory that the units allow, on a machine of 1 GB. 200 games under WHOLE_GAMES=1, else 10."""
    rounds, games = (10, 20) if WHOLE_GAMES else (2, 5)
    with boot(disk) as machine:
        box = Box(machine)
        daemon = box.until_ready()
        own: list[float] = []
        for number in range(1, rounds + 1):
            box.run(f"/opt/shutbox/current/bin/python -m tests.pi.play {_SOCKET} games {games}")
            own.append(pages_of(box, "shutbox"))
            with capsys.disabled():
                print(f"\n{games * number} games: {memory_of(box)}", flush=True)
        assert box.until_ready() == daemon  # not killed for its memory
        assert own[-1] - own[0] < _GROWS_MIB


def pages_of(box: Box, unit: str) -> float:
    """Return the memory of a unit that are its processes' own pages, MiB: the rest is of files, and can go."""
    [own, *_] = box.run(f"head -1 /sys/fs/cgroup/system.slice/{unit}.service/memory.stat")
    return int(own.split()[1]) / _MIB


def memory_of(box: Box) -> str:
    """What systemd accounts, and how much of it are own pages."""
    told = []
    for unit in ("shutbox", "shutbox-guard"):
        peak = int(box.show(unit, "MemoryPeak"))
        [current] = box.run(f"cat /sys/fs/cgroup/system.slice/{unit}.service/memory.current")
        told.append(f"{unit} {int(current) / _MIB:.0f} MiB, own {pages_of(box, unit):.0f}, peak {peak / _MIB:.0f}")
    return "; ".join(told)
