"""The addresses and the name of this computer in its networks, from its own kernel: no name server is asked."""

import fcntl
import socket
import struct
from collections.abc import Sequence

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
