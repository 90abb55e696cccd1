"""The mock-box: one simulated world, served to all clients of a local socket.

Each room provides the handlers of its requests: hardware those of header lines and hands, firmware those of the bus,
vision those of pictures.
"""

import errno
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingUnixStreamServer

from hardware.sim.hands import ACTIONS, act, look_at
from hardware.sim.link import MOST_ASKED, BadMessage, Words, pack, receive, send
from hardware.sim.recorder import RecordingWorld
from hardware.wires import GpioPin, parse_gpio

_MOST_CLIENTS = 64  # a daemon and its guard need a connection for each watched line, about thirty

Answer = tuple[Words, bytes]
"""The answer to a request: words, and raw bytes."""


class Session:
    """One client's connection. It owns the lines it drives and watches until it ends.

    Lifetime: that of its connection. Concurrency: `push` from any thread.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self._on_end: list[Callable[[], None]] = []

    def push(self, words: Words) -> None:
        """Send an unrequested message without ever waiting: a client that does not read loses its connection."""
        message = pack(words)
        try:
            if self._socket.send(message, socket.MSG_DONTWAIT) == len(message):
                return
        except OSError:
            pass
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def on_end(self, job: Callable[[], None]) -> None:
        self._on_end.append(job)

    def end(self) -> None:
        while self._on_end:
            self._on_end.pop()()


Handler = Callable[[Session, Words, bytes], Answer | None]
"""Carries out a request and returns its answer; None if it has already answered.

Raises `OSError` with the number of the wire's refusal, `ValueError` in words for a wrong call; a `KeyError`,
`TypeError` or the like means a request with missing or wrong arguments.
"""


class _Client(BaseRequestHandler):
    server: "BoxServer"

    def handle(self) -> None:
        session = Session(self.request)
        try:
            while True:
                words, data = receive(self.request, MOST_ASKED)
                answer = self.server.answer(session, words, bytes(data))
                if answer is not None:
                    send(self.request, *answer)
        except (EOFError, OSError, BadMessage):
            # The client is gone or sends garbage; the box stays as it is.
            return
        finally:
            self.server.forget(session)


class BoxServer(ThreadingUnixStreamServer):
    """Serves one world at `place`, to this user only.

    `handlers` run one at a time, each to its end; `concurrent` ones (a picture takes long) run beside them.

    Lifetime: `serve_forever` until `shutdown`; `open_server` makes one. Raises `OSError` if it cannot listen there.
    Concurrency: one thread per client. No client can keep the others from being served.
    """

    daemon_threads = True
    block_on_close = False
    # A client that finds the queue full is refused at once, because a Unix socket does not let it wait.
    request_queue_size = _MOST_CLIENTS

    def __init__(self, place: Path, handlers: Mapping[str, Handler], concurrent: Mapping[str, Handler]) -> None:
        self._handlers = dict(handlers)
        self._concurrent = dict(concurrent)
        self._one_at_a_time = threading.Lock()
        self._clients = 0
        # From its first moment the socket belongs to this user only.
        before = os.umask(0o177)
        try:
            super().__init__(str(place), _Client)
        finally:
            os.umask(before)

    def verify_request(self, request: object, client_address: object) -> bool:
        """Return True if there is room for one more client."""
        with self._one_at_a_time:
            has_room = self._clients < _MOST_CLIENTS
            self._clients += has_room
            return has_room

    def answer(self, session: Session, words: Words, data: bytes) -> Answer | None:
        do = words.get("do")
        try:
            if do in self._concurrent:
                return self._concurrent[do](session, words, data)
            if do not in self._handlers:
                return {"error": f"no such request {do!r}"}, b""
            with self._one_at_a_time:
                return self._handlers[do](session, words, data)
        except OSError as error:
            return {"errno": error.errno or errno.EIO}, b""
        except ValueError as error:
            return {"error": str(error)}, b""
        except (LookupError, TypeError, AttributeError, ArithmeticError) as error:
            return {"error": f"{do!r} needs other words: {error!r}"}, b""

    def forget(self, session: Session) -> None:
        """End the session of a client that has left, which releases its lines."""
        with self._one_at_a_time:
            self._clients -= 1
            session.end()


@contextmanager
def open_server(place: Path, handlers: Mapping[str, Handler], concurrent: Mapping[str, Handler]) -> Iterator[BoxServer]:
    """Open a server at `place`. It replaces the socket of a killed one, so hold a lock. Raises `OSError`."""
    place.unlink(missing_ok=True)
    with BoxServer(place, handlers, concurrent) as server:
        try:
            yield server
        finally:
            place.unlink(missing_ok=True)


_DONE: Answer = ({}, b"")


def box_handlers(world: RecordingWorld) -> Mapping[str, Handler]:
    return {
        "hello": lambda _session, _words, _data: ({"box": world.box.model_dump_json(), "seed": world.seed}, b""),
        **_Header(world).handlers(),
        **{name: partial(_act, world, name) for name in ACTIONS},
        "look": partial(_look, world),
    }


def _act(world: RecordingWorld, name: str, _session: Session, words: Words, _data: bytes) -> Answer:
    act(world, name, words)
    return _DONE


class _Header:
    """The lines of the header. Each is driven or watched by one client at a time, as on Linux.

    Lifetime: that of the server; a client that leaves releases its lines. Concurrency: one request at a time.
    """

    def __init__(self, world: RecordingWorld) -> None:
        self._world = world
        self._owners: dict[GpioPin, Session] = {}

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "line": lambda _session, words, _data: ({"high": self._world.level(parse_gpio(words["line"]))}, b""),
            "check": self._check,
            "drive": self._drive,
            "watch": self._watch,
        }

    def _check(self, _session: Session, words: Words, _data: bytes) -> Answer:
        self._world.check_line(parse_gpio(words["line"]))
        return _DONE

    def _drive(self, session: Session, words: Words, _data: bytes) -> Answer:
        line, high = parse_gpio(words["line"]), words["high"]
        if high is not None and not isinstance(high, bool):
            raise ValueError("a line is driven high (true), low (false) or let go (null)")
        if high is None:
            self._let_go(session, line)
        else:
            self._claim(session, line)
            self._world.set_line(line, high)
        return _DONE

    def _watch(self, session: Session, words: Words, _data: bytes) -> None:
        line = parse_gpio(words["line"])
        self._world.check_line(line, edges=True)
        self._claim(session, line)
        # The answer goes out before the first edge can come.
        session.push({})
        self._world.watch_line(line, lambda high: session.push({"high": high}))

    def _claim(self, session: Session, line: GpioPin) -> None:
        owner = self._owners.get(line)
        if owner is None:
            self._owners[line] = session
            session.on_end(lambda: self._let_go(session, line))
        elif owner is not session:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    def _let_go(self, session: Session, line: GpioPin) -> None:
        if self._owners.get(line) is session:
            del self._owners[line]
            self._world.watch_line(line, None)
            self._world.set_line(line, None)


def _look(world: RecordingWorld, _session: Session, _words: Words, _data: bytes) -> Answer:
    """Answer with what eyes see, and what instruments would show."""
    box, pulses = world.box, world.pulses
    return {
        **look_at(world),
        "pulses_us": {
            str(tile): round(pulses[wiring.servo]) for tile, wiring in box.tiles.items() if wiring.servo in pulses
        },
        "horns_us": {str(tile): round(horn_us) for tile, horn_us in world.horns_us.items()},
        "enabled": world.enabled,
        "current_a": round(world.current_a, 3),
        "now_s": world.now(),
        "quiet_since_s": world.quiet_since_s,
    }, b""
