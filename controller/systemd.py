"""The daemon's words to systemd: ready, alive, stopping (see sd_notify(3))."""

import os
import socket


def notify(state: str) -> None:
    """Send one line such as `READY=1`; nothing happens where systemd did not start us."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    # An address that begins with @ lies in the abstract name space, which starts with a zero byte.
    target = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.connect(target)
        channel.sendall(state.encode())


def watchdog_s() -> float | None:
    """How often systemd wants to hear that we live, in seconds; None without a watchdog for this process."""
    period_us = os.environ.get("WATCHDOG_USEC")
    if not period_us or os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    return int(period_us) / 1_000_000
