"""The protocol of a mock-box: one message format, and the client's end of a connection.

A message is two unsigned 32-bit numbers, big-endian: the lengths of a JSON object and of the raw bytes that follow it;
then both. The `do` of a request names the action; the answer holds the result, or `errno` (a refusal of the wire
itself, as Linux numbers it), or `error` (a wrong call, in words). An invalid or overlong message ends its connection
and nothing else.

`multiprocessing.connection` was tried instead. It waits forever for the rest of a message once the first byte has come,
closing it wakes no waiting thread, it cannot send without waiting (`Session.push`), its listener cannot be stopped, and
a picture takes 20 ms instead of 1. A wire must fail within `_PATIENCE_S`, and must be able to stop.
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
from typing import Any, Self

Words = Mapping[str, Any]

_LENGTHS = struct.Struct("!II")
_MOST_WORDS = 64 * 1024  # bytes of JSON: enough for a box profile and 500 moments, too little to fill the memory
# A picture of the largest camera that a profile may name: 4608 x 2592 in three colours.
MOST_BYTES = 36 * 1024 * 1024
# Clients send only registers: a whole servo board is 70 bytes.
MOST_ASKED = 4 * 1024
# A hung bus blocks its caller for about a second, and a picture takes a fraction of that.
_PATIENCE_S = 2.0


class BadMessage(Exception):
    """Bytes are not a valid message."""


class BoxLost(OSError):
    """The mock-box is gone or does not answer; a driver sees a transfer that timed out."""

    def __init__(self, place: Path) -> None:
        super().__init__(errno.ETIMEDOUT, f"no answer from the mock-box at {place}")


def send(sock: socket.socket, words: Words, data: bytes = b"") -> None:
    """Send one message. Raises `OSError`."""
    sock.sendall(pack(words, data))


def pack(words: Words, data: bytes = b"") -> bytes:
    text = json.dumps(words).encode()
    return _LENGTHS.pack(len(text), len(data)) + text + data


def receive(sock: socket.socket, most_bytes: int) -> tuple[Words, bytearray]:
    """Receive the next message. Raises `EOFError` at the end, `BadMessage`, `OSError` (including `TimeoutError`)."""
    words_length, data_length = _LENGTHS.unpack(_receive_exactly(sock, _LENGTHS.size))
    if words_length > _MOST_WORDS or data_length > most_bytes:
        raise BadMessage(f"a message of {words_length} and {data_length} bytes")
    try:
        words = json.loads(_receive_exactly(sock, words_length))
    except (ValueError, RecursionError) as error:
        raise BadMessage(str(error)) from error
    if not isinstance(words, dict):
        raise BadMessage("not an object")
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
    """One connection to a mock-box: requests, each answered before the next is sent.

    After a failure nothing more is sent: every later request raises `BoxLost` at once.
    Lifetime: a context manager; a second `close` does nothing. Raises `BoxLost` if no mock-box listens at `place`.
    Concurrency: any thread; one request at a time. A request takes at most two seconds; with `patient` it waits as long
    as the mock-box lives.
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

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection once the mock-box has released everything that this client drove, or after two seconds."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(_PATIENCE_S)
            while self._socket.recv(MOST_ASKED):
                """Whoever comes next must find the lines free: the mock-box hangs up when they are."""
        # Only this wakes a thread that waits for a message.
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def ask(self, do: str, data: bytes = b"", /, **words: Any) -> tuple[Words, bytearray]:
        """Send the request `do` and wait for the answer.

        Raises `BoxLost`; `OSError` with the number of the wire's refusal; `ValueError` for a wrong call.
        """
        with self._one_at_a_time:
            try:
                send(self._socket, {"do": do, **words}, data)
                answer, got = receive(self._socket, MOST_BYTES)
            except (OSError, EOFError, BadMessage) as error:
                self._socket.close()
                raise BoxLost(self._place) from error
        if "errno" in answer:
            raise OSError(answer["errno"], os.strerror(answer["errno"]))
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer, got

    def messages(self) -> Iterator[Words]:
        """Yield unrequested messages while the connection holds; `close`, from another thread, ends it."""
        self._socket.settimeout(None)
        while True:
            try:
                yield receive(self._socket, MOST_ASKED)[0]
            except (OSError, EOFError, BadMessage):
                return
