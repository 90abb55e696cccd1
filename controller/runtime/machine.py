"""This computer: its model (some features need a Raspberry Pi), its addresses and its TCP ports."""

import errno
import fcntl
import os
import socket
import struct
from collections.abc import Sequence
from pathlib import Path

from controller.errors import NoBox, SettingsError

_MODEL = Path("/proc/device-tree/model")  # the firmware of a Pi writes its name there; a PC has no such file


def require_pi(instead: str = "--mock for the simulated box") -> None:
    """Raise `NoBox` unless this is a Raspberry Pi. instead: the option that works on other machines."""
    if "Raspberry Pi" not in model_name():
        raise NoBox(f"this machine is no Raspberry Pi; say {instead}")


def model_name() -> str:
    """Return the model of this computer, as the firmware of a Pi reports it; empty on others."""
    return _MODEL.read_text("utf-8", "replace").strip("\0\n") if _MODEL.exists() else ""


def memory_bytes() -> int:
    """Return the memory of this computer that programs can have."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


_SIOCGIFADDR = 0x8915  # of Linux; other systems refuse it
_LONGEST_NAME = 256
_IN_ANSWER = slice(20, 24)  # of the structure `ifreq`


def own_addresses() -> Sequence[str]:
    """Return the IPv4 addresses of this computer in its networks, without loopback; none if they are unknown."""
    found = []
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            for _, name in socket.if_nameindex():
                try:
                    answer = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack(f"{_LONGEST_NAME}s", name.encode()))
                except OSError:
                    continue  # the interface is down, or has no address
                found.append(socket.inet_ntoa(answer[_IN_ANSWER]))
    except OSError:
        # The unit of the service allows no sockets of its own.
        return []
    return [each for each in found if not each.startswith("127.")]


def announced_name() -> str:
    """Return the name under which this computer is announced as `NAME.local`: its host name up to the first dot."""
    return socket.gethostname().partition(".")[0]


_ALL, _ALL_IPV4 = "::", "0.0.0.0"  # noqa: S104 - only if the owner has set it
_ASK_S = 1.0
_CURES = {
    errno.EADDRINUSE: "another program has that port; set another one",
    errno.EADDRNOTAVAIL: "this computer does not have that address",
    errno.EACCES: "ports below 1024 are closed to this user; set a higher one",
    # The unit of the service does not allow it to create such a socket.
    errno.EAFNOSUPPORT: "the service is given none; say `sudo shutbox install` and `sudo systemctl restart shutbox`",
}


def open_port(address: str, port: int) -> socket.socket:
    """Listen at a port of an address of this computer; `::` means all its addresses, including those of IPv4.

    Raises `SettingsError` that says what to do.
    """
    is_dual = address == _ALL and socket.has_dualstack_ipv6()
    if address == _ALL and not is_dual:
        address = _ALL_IPV4
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        server = socket.create_server((address, port), family=family, dualstack_ipv6=is_dual)
    except OSError as error:
        cure = _CURES.get(error.errno or 0, error.strerror or str(error))
        raise SettingsError(f"port {port} of {address} cannot be opened: {cure}") from error
    # `create_server` does not name the protocol, and asyncio avoids Nagle's delay of 40 ms only for sockets known to be
    # TCP.
    return socket.socket(fileno=server.detach())


def find_free_port(address: str, wanted: int) -> int:
    """Return `wanted` if that port of an address can be opened, else one that can. Raises `SettingsError`."""
    try:
        with open_port(address, wanted):
            return wanted
    except SettingsError:
        with open_port(address, 0) as free:
            return int(free.getsockname()[1])


def answers_at(address: str, port: int) -> bool:
    """Return whether a program listens at a port of an address of this computer."""
    try:
        # Connecting to "all addresses" connects to this computer.
        with socket.create_connection((address, port), timeout=_ASK_S):
            return True
    except OSError:
        return False
