"""The protocol of a mock-box: one message format, and the client's end of a connection.

A message is two unsigned 32-bit numbers, big-endian: the length of a JSON object and of the raw bytes that follow
it; then both. A request says in `do` what is wanted; its answer holds what was asked for, or `errno` (what the wire
itself refused, as Linux numbers it), or `error` (a call that was wrong, in words). A message that is too long, or no
message at all, ends the connection it came by and nothing else.

`multiprocessing.connection` would frame bytes too, and was tried: once the first byte has come it waits for the rest of
a message for ever, closing it wakes no thread that waits, it cannot send without waiting (`Session.push`), its listener
cannot be told to stop, and a picture takes 20 ms where this takes 1. A wire must fail within `_PATIENCE_S`, and stops.
"""

import errno
import json
import os
import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Words = Mapping[str, Any]

_LENGTHS = struct.Struct("!II")
_MOST_WORDS = 64 * 1024  # bytes of JSON: a box profile and its 500 moments fit, and no client fills the memory
# A picture of the largest camera that a profile may name: 4608 x 2592 in three colours.
MOST_BYTES = 36 * 1024 * 1024
# A client sends registers only: a whole servo board is 70 bytes.
MOST_ASKED = 4 * 1024
# A hung bus blocks its caller for about a second, and a picture takes a fraction of that.
_PATIENCE_S = 2.0


class Garbled(Exception):
    """Raised for bytes that are no message."""


class BoxLost(OSError):
    """The mock-box is gone, or does not answer: to a driver, a transfer that timed out."""

    def __init__(self, place: Path) -> None:
        super().__init__(errno.ETIMEDOUT, f"no answer from the mock-box at {place}")


def send(sock: socket.socket, words: Words, data: bytes = b"") -> None:
    """Send one message. Raises `OSError`."""
    sock.sendall(pack(words, data))


def pack(words: Words, data: bytes = b"") -> bytes:
    """Pack one message into the bytes that travel."""
    text = json.dumps(words).encode()
    return _LENGTHS.pack(len(text), len(data)) + text + data


def receive(sock: socket.socket, most_bytes: int) -> tuple[Words, bytearray]:
    """Receive the next message. Raises `EOFError` at the end, `Garbled`, `OSError` (`TimeoutError` too)."""
    words_length, data_length = _LENGTHS.unpack(_receive_exactly(sock, _LENGTHS.size))
    if words_length > _MOST_WORDS or data_length > most_bytes:
        raise Garbled(f"a message of {words_length} and {data_length} bytes")
    try:
        words = json.loads(_receive_exactly(sock, words_length))
    except (ValueError, RecursionError) as error:
        raise Garbled(str(error)) from error
    if not isinstance(words, dict):
        raise Garbled("not an object")
    return words, _receive_exactly(sock, data_length)


def _receive_exactly(sock: socket.socket, count: int) -> bytearray:
    whole = bytearray(count)
    view = memoryview(whole)
    while view:
        got = sock.recv_into(view)
        if not got:
            raise EOFError
        view = view[got:]
    return whole


class Link:
    """One connection to a mock-box: questions, each answered before the next is asked.

    After a failure nothing more is sent: every later question raises `BoxLost` at once.
    Lifetime: a context manager; `close` twice is harmless. Raises `BoxLost` if no mock-box listens at `place`.
    Concurrency: any thread; one question at a time. A question takes two seconds at most, or, of a `patient` link, as
    long as the mock-box lives.
    """

    def __init__(self, place: Path, *, patient: bool = False) -> None:
        self._place = place
        self._one_at_a_time = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(_PATIENCE_S)
        try:
            self._socket.connect(str(place))
        except OSError as error:
            self._socket.close()
            raise BoxLost(place) from error
        if patient:
            self._socket.settimeout(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; what this client drove is let go."""
        # A thread that waits for a message is woken by this alone.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def ask(self, do: str, data: bytes = b"", /, **words: Any) -> tuple[Words, bytearray]:
        """Ask for `do` and wait for the answer.

        Raises `BoxLost`; `OSError` with the number that the wire refused it with; `ValueError` for a wrong call.
        """
        with self._one_at_a_time:
            try:
                send(self._socket, {"do": do, **words}, data)
                answer, got = receive(self._socket, MOST_BYTES)
            except (OSError, EOFError, Garbled) as error:
                self._socket.close()
                raise BoxLost(self._place) from error
        if "errno" in answer:
            raise OSError(answer["errno"], os.strerror(answer["errno"]))
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer, got

    def messages(self) -> Iterator[Words]:
        """Messages that come unasked, for as long as the connection holds; `close`, from another thread, ends it."""
        self._socket.settimeout(None)
        while True:
            try:
                yield receive(self._socket, MOST_ASKED)[0]
            except (OSError, EOFError, Garbled):
                return
