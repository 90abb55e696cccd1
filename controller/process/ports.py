"""TCP ports of this computer: opening them, and checking whether something answers."""

import errno
import socket

from controller.errors import SettingsError

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
