"""systemd as the one who started this process: notices to it (sd_notify(3)), and sockets from it (sd_listen_fds(3))."""

import os
import socket
from contextlib import suppress

# Whoever notifies a system that does not listen must go on living: the guard above all.
_PATIENCE_S = 0.1
_FIRST_PASSED = 3  # after the three standard streams


def notify(state: str, patience_s: float = _PATIENCE_S) -> bool:
    """Send one line such as `READY=1`, and wait for so long until systemd takes it; False if it does not.

    Nothing happens where systemd did not start us.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return True
    # An address that begins with @ lies in the abstract name space, which starts with a zero byte.
    target = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.settimeout(patience_s)
        channel.connect(target)
        with suppress(TimeoutError, BlockingIOError):
            channel.sendall(state.encode())
            return True
    return False


def notify_status(words: str) -> bool:
    """Say in words what this process is doing; `systemctl status` shows the last ones. False if they are not taken.

    Words are worth no waiting: this is said amid a game.
    """
    # On one line: the next line would be another notice.
    return notify(f"STATUS={' '.join(words.split())}", patience_s=0)


def started_by_systemd() -> bool:
    """True if a service manager waits for the notices of this process."""
    return "NOTIFY_SOCKET" in os.environ


def watchdog_s() -> float | None:
    """The period in seconds within which systemd must hear `WATCHDOG=1`; None without a watchdog for this process."""
    period_us = os.environ.get("WATCHDOG_USEC")
    if not period_us or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(period_us) / 1_000_000


def passed_sockets() -> list[socket.socket]:
    """The listening sockets that systemd has opened for this process; they are the caller's to close."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(os.environ.get("LISTEN_FDS", "0"))
    passed = [socket.socket(fileno=number) for number in range(_FIRST_PASSED, _FIRST_PASSED + count)]
    for each in passed:
        each.set_inheritable(False)
    return passed
