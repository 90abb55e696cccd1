"""The units under systemd: ready soon, again after every end, closed to what they do not need, quiet when broken."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from controller.game.core.commands import Abandon, StartGame
from controller.game.core.players import Player
from controller.game.table.snapshot import Snapshot
from controller.web.client import Client
from tests.service.conftest import UNITS, VOICE, Note, have_no_metal
from tests.service.machine import Machine
from tests.support.first_moves import play_first_moves

SETTINGS = "/var/lib/shutbox/settings.toml"
SOCKET = "run/shutbox/shutbox.sock"
PROBE = "/var/lib/shutbox/probe.py"
DROP_IN = "/run/systemd/system/shutbox.service.d"
# In the daemon's place: what it must not be able to do, and how it is refused.
TRIES = """
import errno, mmap, os, socket
def refused(name, act):
    try:
        act()
    except OSError as error:
        print(name, errno.errorcode[error.errno])
    else:
        print(name, "goes")
WRITE_EXECUTE = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
refused("null", lambda: open("/dev/null", "rb"))
refused("tun", lambda: open("/dev/net/tun", "rb"))
refused("internet", lambda: socket.socket(socket.AF_INET))
refused("code", lambda: mmap.mmap(-1, 4096, prot=WRITE_EXECUTE))
refused("root", lambda: os.chroot("/tmp"))
refused("write", lambda: open("/etc/shutbox", "w"))
refused("socket", lambda: socket.socket(socket.AF_UNIX))
"""
PYTHON = "/opt/shutbox/current/bin/python"
ASK = "import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:8080/api/state', timeout=10).read())"
CONNECT = "import socket; socket.create_connection(('127.0.0.1', 8080), timeout=1)"
# It says when it has the port.
SQUAT = """
import os, socket, threading
held = socket.create_server(("", 8080))
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
threading.Event().wait()
"""
# In the place of espeak-ng: what it is told, and what the unit lets it do.
COMPLAINT = """
import errno, os, socket, sys
def tried(name, act):
    try:
        act()
    except OSError as error:
        return f"{name} {errno.errorcode[error.errno]}"
    return f"{name} goes"
print(
    "error:",
    sys.stdin.read().strip(),
    tried("tun", lambda: open("/dev/net/tun", "rb")),
    tried("internet", lambda: socket.socket(socket.AF_INET)),
    tried("data", lambda: open("/var/lib/shutbox/voice", "w")),
    file=sys.stderr,
)
"""
_PATIENCE_S = 60.0


def play(machine: Machine, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """Begin a game at the daemon's own socket in place of any other, and play it until a snapshot is as wanted."""

    async def begin() -> Snapshot:
        async with Client(machine.root / SOCKET) as client:
            if (await client.state()).can("abandon"):
                await client.send(Abandon())
            await client.send(StartGame((Player("Ann"),)))
            async with asyncio.timeout(_PATIENCE_S):
                return await play_first_moves(client, holds)

    return asyncio.run(begin())


def status(machine: Machine, unit: str = "shutbox") -> str:
    return machine.show(unit, "StatusText")[0]


@contextmanager
def stopped(machine: Machine, *units: str) -> Iterator[None]:
    """The service stopped for the block, and well again after it."""
    machine.run("systemctl", "stop", *units)
    try:
        yield
    finally:
        machine.run("rm", "-f", SETTINGS)
        machine.run("systemctl", "reset-failed")
        machine.run("systemctl", "restart", *units)


def test_the_box_is_ready_soon_after_the_machine_starts(machine: Machine, note: Note) -> None:
    note("boot to ready", machine.wait_active("shutbox", machine.booted_s), "s", 8.0)
    assert status(machine) == "No game is on. Start one."


def test_a_plain_debian_gets_the_groups_of_a_pi(machine: Machine) -> None:
    groups = set(machine.run("id", "--name", "--groups", "shutbox").split())

    assert groups == {"shutbox", "gpio", "i2c", "video", "render"}


def test_the_box_is_ready_soon_after_it_is_started(machine: Machine, note: Note) -> None:
    with stopped(machine, "shutbox"):
        begun_s = time.monotonic()
        machine.run("systemctl", "start", "shutbox")
        note("start to ready", machine.since_s("shutbox") - begun_s, "s", 3.0)


def test_it_reads_dice_and_says_what_it_does(machine: Machine) -> None:
    choosing = play(machine, lambda snapshot: snapshot.phase == "choosing")

    machine.wait_until("shutbox", lambda: status(machine) == choosing.say)
    assert re.fullmatch(r"Ann threw \d and \d.*", choosing.say)


def test_a_daemon_that_is_killed_is_ready_again_with_its_game(machine: Machine, note: Note) -> None:
    play(machine, lambda snapshot: snapshot.phase == "choosing")
    before = status(machine)
    killed_s = time.monotonic()
    machine.run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "shutbox")
    note("SIGKILL to ready", machine.wait_active("shutbox", killed_s), "s", 5.0)

    machine.wait_until("shutbox", lambda: status(machine) == before)


def test_a_daemon_that_hangs_is_killed_and_ready_again(machine: Machine, note: Note) -> None:
    hung_s = time.monotonic()
    machine.run("systemctl", "kill", "--kill-whom=main", "--signal=STOP", "shutbox")

    note("SIGSTOP to ready", machine.wait_active("shutbox", hung_s), "s", 12.0)


def test_stopped_amid_a_move_it_parks_and_ends_soon(machine: Machine, note: Note) -> None:
    with stopped(machine, "shutbox"):
        machine.run("systemctl", "start", "shutbox")
        play(machine, lambda snapshot: snapshot.phase == "moving")
        told_s = time.monotonic()
        machine.run("systemctl", "stop", "shutbox")
        note("SIGTERM amid a move to ended", time.monotonic() - told_s, "s", 5.0)
        assert machine.show("shutbox", "Result") == ["success"]
        assert any("all servos released" in line for line in machine.log("shutbox"))


def test_a_guard_without_a_line_says_so_and_is_no_restart_loop(machine: Machine) -> None:
    restarts, *_ = machine.show("shutbox-guard", "NRestarts")

    assert not [line for line in machine.hear("shutbox-guard", 5) if "restart" in line]
    assert status(machine, "shutbox-guard").startswith("Guards nothing: this machine is no Raspberry Pi")
    assert machine.show("shutbox-guard", "NRestarts", "ActiveState") == [restarts, "active"]


def test_a_guard_that_is_killed_is_there_again(machine: Machine, note: Note) -> None:
    killed_s = time.monotonic()
    machine.run("systemctl", "kill", "--signal=KILL", "shutbox-guard")

    note("SIGKILL of the guard to the next", machine.wait_active("shutbox-guard", killed_s), "s", 2.0)


def test_the_voice_speaks_where_the_settings_say_so_and_has_nothing_but_the_sound_cards(machine: Machine) -> None:
    machine.run("systemctl", "start", VOICE)
    assert machine.show(VOICE, "ActiveState", "ConditionResult") == ["inactive", "no"]  # there is no espeak-ng
    with stopped(machine, "shutbox"), voice_of(machine):
        machine.run("systemctl", "start", "shutbox")
        machine.wait_until(VOICE, lambda: any("does not speak" in line for line in machine.log(VOICE)))
        machine.wait_until(VOICE, lambda: machine.show(VOICE, "ActiveState") == ["inactive"])
        assert machine.show(VOICE, "Result", "NRestarts") == ["success", "0"]

        (machine.root / SETTINGS.lstrip("/")).write_text("[voice]\naloud = true\n")
        machine.run("systemctl", "restart", "shutbox")
        machine.wait_until(VOICE, lambda: machine.show(VOICE, "ActiveState") == ["active"])
        play(machine, lambda snapshot: snapshot.phase == "choosing")
        machine.wait_until(VOICE, lambda: any("Ann" in line for line in machine.log(VOICE)))
        [heard] = [line for line in machine.log(VOICE) if "nothing is heard" in line]
        assert re.search(r"error: Ann.* tun EPERM internet EAFNOSUPPORT data EROFS", heard)
        machine.run("systemctl", "stop", "shutbox")
        assert machine.show(VOICE, "ActiveState", "Result") == ["inactive", "success"]


@contextmanager
def voice_of(machine: Machine) -> Iterator[None]:
    """The machine with a program in the place of espeak-ng, which complains of the first sentence that it is told."""
    program = machine.root / "usr/bin/espeak-ng"
    program.write_text(f"#!{PYTHON}\n{COMPLAINT}")
    program.chmod(0o755)
    machine.run("chmod", "a+rw", "/dev/net/tun")  # so that only the unit refuses it
    try:
        yield
    finally:
        program.unlink()


def test_settings_that_cannot_be_read_are_shown_by_a_service_that_runs(machine: Machine) -> None:
    with stopped(machine, "shutbox"):
        (machine.root / SETTINGS.lstrip("/")).write_text("bocks = 1\n")
        machine.run("systemctl", "start", "shutbox")

        machine.wait_until("shutbox", lambda: "bocks: unknown key" in status(machine))
        assert "settings.toml:1" in status(machine)
        assert machine.show("shutbox", "ActiveState") == ["active"]


@pytest.mark.parametrize("unit", [*UNITS, VOICE])
def test_a_unit_verifies_and_is_exposed_to_little(machine: Machine, note: Note, unit: str) -> None:
    verified = machine.ask("systemd-analyze", "verify", f"/etc/systemd/system/{unit}")
    assert (verified.returncode, [line for line in verified.stderr.splitlines() if "shutbox" in line]) == (0, [])

    [exposure] = re.findall(r"exposure level for .*: ([\d.]+)", machine.run("systemd-analyze", "security", unit))
    note(f"exposure of {unit}", float(exposure), "", 1.2)


@pytest.mark.parametrize("unit", UNITS)
def test_what_runs_has_no_privilege(machine: Machine, unit: str) -> None:
    process = machine.show(unit, "MainPID")[0]
    words = dict(line.split(":\t", 1) for line in machine.run("cat", f"/proc/{process}/status").splitlines())

    assert {words[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {16 * "0"}
    assert (words["NoNewPrivs"], words["Seccomp"]) == ("1", "2")


def test_the_unit_refuses_what_it_does_not_need(machine: Machine) -> None:
    (machine.root / PROBE.lstrip("/")).write_text(TRIES)
    machine.run("chmod", "a+rw", "/dev/net/tun")  # so that only the unit refuses it
    overridden = f"Type=oneshot\nWatchdogSec=0\nExecStart=\nExecStart=/opt/shutbox/current/bin/python {PROBE}"
    with stopped(machine, "shutbox"):
        machine.run("mkdir", "-p", DROP_IN)
        (machine.root / DROP_IN.lstrip("/") / "probe.conf").write_text(f"[Service]\n{overridden}\n")
        machine.run("systemctl", "daemon-reload")
        machine.run("systemctl", "start", "shutbox")
        tried = dict(re.findall(r"^(\w+) (\w+)$", "\n".join(machine.log("shutbox")), re.MULTILINE))
        machine.run("rm", "-r", DROP_IN, PROBE)
        machine.run("systemctl", "daemon-reload")

    # Newer systemds have the kernel refuse it, older ones their filter.
    assert tried.pop("code") in ("EACCES", "EPERM")
    assert tried == {
        **dict.fromkeys(("null", "socket"), "goes"),
        **dict.fromkeys(("tun", "root"), "EPERM"),
        "internet": "EAFNOSUPPORT",
        "write": "EROFS",
    }


def test_phones_reach_it_where_the_settings_say_so_and_the_daemon_still_has_no_network(
    machine: Machine, note: Note
) -> None:
    with stopped(machine, "shutbox"):
        assert not_asked(machine)
        let_in(machine, "on = true")
        machine.run("systemctl", "start", "shutbox")
        assert '"phase"' in machine.run(PYTHON, "-c", ASK)
        assert [line for line in machine.log("shutbox") if "nobody in the network" in line] == []
        [exposure] = re.findall(
            r"exposure level for .*: ([\d.]+)", machine.run("systemd-analyze", "security", "shutbox")
        )
        note("exposure of shutbox.service with its port", float(exposure), "", 1.5)
        note("memory with its port, a game taken up, and its simulated box", resident_mb(machine), "MB", 180.0)
        # A daemon that is killed is given the same port again.
        killed_s = time.monotonic()
        machine.run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", "shutbox")
        machine.wait_active("shutbox", killed_s)
        assert '"phase"' in machine.run(PYTHON, "-c", ASK)
        # Nobody who asks starts what was stopped.
        machine.run("systemctl", "stop", "shutbox")
        assert not_asked(machine)
        assert machine.show("shutbox", "ActiveState") == ["inactive"]
        let_in(machine, "on = false")
        machine.run("systemctl", "start", "shutbox")
        assert not_asked(machine)


def test_a_port_that_is_taken_keeps_nothing_from_starting(machine: Machine) -> None:
    with stopped(machine, "shutbox"):
        let_in(machine, "on = true")
        machine.run("systemd-run", "--unit=squatter", "--property=Type=notify", PYTHON, "-c", SQUAT)
        machine.run("systemctl", "start", "shutbox")
        assert any("the network cannot reach this box" in line for line in machine.log("shutbox"))
        assert machine.show("shutbox", "ActiveState") == ["active"]
        machine.run("systemctl", "stop", "squatter")
        let_in(machine, "on = false")


def let_in(machine: Machine, words: str) -> None:
    """Set the port as an owner does."""
    (machine.root / SETTINGS.lstrip("/")).write_text(f"[web]\n{words}\n")
    # A container has no devices, and so no udev that could be told of its rules.
    machine.run("ln", "-sf", "true", "/usr/bin/udevadm")
    machine.run("/usr/local/bin/shutbox", "install")
    machine.run("rm", "/usr/bin/udevadm")
    have_no_metal(machine.root / "etc/systemd/system")
    machine.run("systemctl", "daemon-reload")


def not_asked(machine: Machine) -> bool:
    return machine.ask(PYTHON, "-c", CONNECT).returncode != 0


def test_the_journal_knows_how_grave_a_line_is(machine: Machine) -> None:
    grave = machine.log("shutbox-guard", "--priority=err")

    assert any(line.startswith("controller.box.guard: servo pulses are not guarded") for line in grave)
    assert not any("the box is open" in line for line in machine.log("shutbox", "--priority=warning"))
    assert any("the box is open" in line for line in machine.log("shutbox", "--priority=info"))


def test_it_is_light(machine: Machine, note: Note) -> None:
    async def give_up() -> None:
        async with Client(machine.root / SOCKET) as client:
            await client.send(Abandon())

    play(machine, lambda snapshot: snapshot.phase == "choosing")
    # 174 to 192 MB, by what the dice ask of their reading: its arrays have just been used.
    note("memory in a game, with its simulated box", resident_mb(machine), "MB", 210.0)
    asyncio.run(give_up())
    machine.run("systemctl", "restart", "shutbox")
    note("memory at rest, with its simulated box", resident_mb(machine), "MB", 90.0)


def resident_mb(machine: Machine) -> float:
    process = machine.show("shutbox", "MainPID")[0]
    [kilobytes] = re.findall(r"VmRSS:\s+(\d+) kB", machine.run("cat", f"/proc/{process}/status"))
    return int(kilobytes) / 1024
