"""systemd: notices to it (sd_notify(3)), sockets from it (sd_listen_fds(3)), its journal, and the installed units."""

import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

# A process must survive a notice that systemd does not take, the guard above all.
_PATIENCE_S = 0.1
_FIRST_PASSED = 3  # after the three standard streams


def notify(state: str, patience_s: float = _PATIENCE_S) -> bool:
    """Send one line such as `READY=1`, and wait up to `patience_s` for systemd; return whether it was taken.

    Does nothing if systemd did not start this process.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return True
    # An address that begins with @ is in the abstract name space, which starts with a zero byte.
    target = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.settimeout(patience_s)
        channel.connect(target)
        with suppress(TimeoutError, BlockingIOError):
            channel.sendall(state.encode())
            return True
    return False


def notify_status(words: str) -> bool:
    """Send a status text, which `systemctl status` shows; return whether it was taken.

    It does not wait, because it is called during a game.
    """
    # On one line, because the next line would be another notice.
    return notify(f"STATUS={' '.join(words.split())}", patience_s=0)


def started_by_systemd() -> bool:
    """Return whether a service manager expects notices of this process."""
    return "NOTIFY_SOCKET" in os.environ


def watchdog_s() -> float | None:
    """Return the period in seconds within which systemd expects `WATCHDOG=1`; None without a watchdog."""
    period_us = os.environ.get("WATCHDOG_USEC")
    if not period_us or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(period_us) / 1_000_000


def passed_sockets() -> list[socket.socket]:
    """Return the listening sockets that systemd has opened for this process; the caller must close them."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(os.environ.get("LISTEN_FDS", "0"))
    passed = [socket.socket(fileno=number) for number in range(_FIRST_PASSED, _FIRST_PASSED + count)]
    for each in passed:
        each.set_inheritable(False)
    return passed


UNITS = Path("/etc/systemd/system")  # where `shutbox install` puts them
_MODULE = re.compile(r"^Exec\w+=.* -m ([\w.]+)", re.MULTILINE)


def find_stale_units(folder: Path = UNITS) -> Iterator[str]:
    """Yield a sentence for each of our units in `folder` that starts a module which this version does not have.

    Such a unit is from an older installation: systemd would keep restarting it in vain.
    """
    for unit in sorted(folder.glob("shutbox*.service")):
        started = list[str]()
        # A unit that cannot be read must not keep the daemon from starting.
        with suppress(OSError):
            started = _MODULE.findall(unit.read_text("utf-8", errors="replace"))
        for module in started:
            if not _exists(module):
                yield (
                    f"{unit} is of an older version of this program and cannot start ({module} has moved); "
                    "say `sudo shutbox install`"
                )


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


_COMMAND = ("journalctl", "--quiet", "--no-pager", "--no-hostname", "--output=short-iso", "--unit=shutbox*")
_JOURNAL_PATIENCE_S = 10.0  # a journal on a slow card


def read_service_log(lines: int) -> tuple[str, ...]:
    """Return the last `lines` lines, oldest first; none if there is no such log, or this user may not read it."""
    # Imported here: the guard, which must stay small, loads the code for systemd too.
    import subprocess

    command = (*_COMMAND, f"--lines={lines}")
    try:
        answer = subprocess.run(command, capture_output=True, timeout=_JOURNAL_PATIENCE_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(answer.stdout.decode("utf-8", "replace").splitlines())
