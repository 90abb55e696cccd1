"""The addresses and the name of this computer in its networks, as its own kernel has them: nobody else is asked."""

import fcntl
import socket
import struct
from collections.abc import Iterator, Sequence

_SIOCGIFADDR = 0x8915  # of Linux; other systems refuse it
_LONGEST_NAME = 256
_IN_ANSWER = slice(20, 24)  # of the structure `ifreq`


def own_addresses() -> Sequence[str]:
    """The IPv4 addresses by which others in the same networks reach this computer; none where that cannot be told."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            return [each for each in _addresses(asking) if not each.startswith("127.")]
    except OSError:
        # The service is given no sockets of its own.
        return []


def announced_name() -> str:
    """The name under which this computer is announced as `NAME.local`: what stands before its own name's first dot."""
    return socket.gethostname().partition(".")[0]


def _addresses(asking: socket.socket) -> Iterator[str]:
    for _, name in socket.if_nameindex():
        try:
            answer = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack(f"{_LONGEST_NAME}s", name.encode()))
        except OSError:
            continue  # it is down, or has none
        yield socket.inet_ntoa(answer[_IN_ANSWER])
