"""The acceptor: a process of its own that accepts connections from the network and passes on those within their rate.

Whoever opens connections without end keeps this process busy, not the loop that drives tiles. It is given the listening
sockets and a socket to the daemon as open files, gets the addresses of those who are known here, and ends with the
daemon. It loads nothing of the program but the rates.
"""

import json
import os
import selectors
import signal
import socket
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from contextlib import suppress

from controller.web.security.rates import CONNECTIONS, TOO_MUCH, Rates

_AT_ONCE = 64  # connections accepted before the other sockets are looked at
_BACKLOG = 1024
_MOST_KNOWN = 1024
# A refused connection stays open for this long, or its client would not see why: closing one whose request has not been
# read resets it.
_LINGER_S, _MOST_LINGERING = 0.2, 256
_BODY = json.dumps({"error": TOO_MUCH, "code": "C-381"}).encode()
_REFUSAL = (
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nConnection: close\r\nCache-Control: no-store\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
) % (len(_BODY), _BODY)


class Acceptor:
    """Accepts connections at `ports`, and passes those within their rate to `daemon`, which keeps messages apart.

    Lifetime: until the daemon closes its end. Concurrency: one thread.
    """

    def __init__(self, daemon: socket.socket, ports: Sequence[socket.socket]) -> None:
        self._daemon = daemon
        self._rates = Rates(CONNECTIONS, time.monotonic())
        self._known: OrderedDict[str, None] = OrderedDict()
        self._refused: deque[tuple[float, socket.socket]] = deque()
        self._selector = selectors.DefaultSelector()
        for each in (daemon, *ports):
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ)
        for each in ports:
            each.listen(_BACKLOG)

    def run(self) -> None:
        """Return when the daemon has closed its end."""
        while True:
            ready = [key.fileobj for key, _ in self._selector.select(_LINGER_S if self._refused else None)]
            self._close_refused(_MOST_LINGERING)
            for each in ready:
                if each is not self._daemon:
                    self._accept(each)  # type: ignore[arg-type]
                elif not self._hear():
                    self._close_refused(0)
                    return

    def _hear(self) -> bool:
        """Note the addresses that the daemon knows now; return False if it is gone."""
        try:
            while said := self._daemon.recv(256):
                self._known[said.decode()] = None
                if len(self._known) > _MOST_KNOWN:
                    self._known.popitem(last=False)
        except BlockingIOError:
            return True
        except ConnectionError:
            pass  # it went without taking all that was passed
        return False

    def _accept(self, port: socket.socket) -> None:
        for _ in range(_AT_ONCE):
            try:
                connection, (address, *_) = port.accept()
            except BlockingIOError:
                return
            except ConnectionError:
                continue
            except OSError:
                # No file is left to open: there is room where the refused ones were.
                self._close_refused(0)
                return
            connection.setblocking(False)
            # Whoever has become known before they came is not taken for a stranger.
            self._hear()
            waits = self._rates.admit(address, time.monotonic(), is_known=address in self._known)
            if waits or not self._pass(connection):
                self._refuse(connection)
            else:
                connection.close()

    def _pass(self, connection: socket.socket) -> bool:
        """Pass the connection to the daemon; return False if it has too many to take already."""
        try:
            socket.send_fds(self._daemon, [b"+"], [connection.fileno()])
        except OSError:
            return False
        return True

    def _refuse(self, connection: socket.socket) -> None:
        with suppress(OSError):
            connection.send(_REFUSAL)
            connection.shutdown(socket.SHUT_WR)
        self._refused.append((time.monotonic() + _LINGER_S, connection))
        self._close_refused(_MOST_LINGERING)

    def _close_refused(self, most: int) -> None:
        """Close those whose time is over, and the oldest of more than `most`."""
        now_s = time.monotonic()
        while self._refused and (len(self._refused) > most or self._refused[0][0] <= now_s):
            self._refused.popleft()[1].close()


def main() -> None:
    """Run the acceptor on the open files whose numbers are given: the daemon's socket, then the listening ones."""
    # A terminal's Ctrl-C and systemd's stop are the daemon's; it closes its socket when it has ended.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    daemon, *ports = (socket.socket(fileno=int(each)) for each in sys.argv[1:])
    Acceptor(daemon, ports).run()
    os._exit(0)


if __name__ == "__main__":
    main()
