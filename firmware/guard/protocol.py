"""Protocol between a daemon and the guard of its pulses, and how long the daemon may be silent.

It runs over a local socket that preserves message boundaries (SOCK_SEQPACKET).

The daemon sends `+` (let pulses pass), `-` (stop them), `.` (alive) or `@` (a drive began or ended), each with the time
of the message and the latest end of the running drives (infinity: none is running), in seconds of CLOCK_MONOTONIC,
which all processes of a machine share. A message that lay unread for a while is no sign of life; neither is `@`, which
comes from the bus and not from the event loop.

The guard answers `+` (they pass) or `-` (they do not), and sends without a request `!` (stopped: the daemon was
silent), `>` (stopped: a drive lasted too long) or `?` (busy with another process).
"""

import math
import struct
from dataclasses import dataclass

ENABLE, CUT, ALIVE, DRIVES = b"+", b"-", b".", b"@"
PASSES, IS_CUT, WAS_SILENT, OVERRAN, IS_BUSY = b"+", b"-", b"!", b">", b"?"

# Pulses must end within a second of the daemon's silence; a working event loop comes round in milliseconds. Half a
# second is less than the longest drive of a servo (LONGEST_DRIVE_S), and lasts five signs of life.
LIMIT_S = 0.5
ALIVE_EVERY_S = 0.1

_SAID = struct.Struct("=cdd")
LONGEST = 64  # bytes read of one message; longer ones are not valid


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the daemon: its kind, when it was sent, and the latest end of the running drives."""

    kind: bytes
    sent_s: float
    until_s: float


def pack(kind: bytes, sent_s: float, until_s: float = math.inf) -> bytes:
    """Pack a message: a byte and two doubles in the machine's own byte order."""
    return _SAID.pack(kind, sent_s, until_s)


def unpack(said: bytes) -> Message:
    """Unpack a daemon's message. Raises `ValueError` for anything else."""
    if len(said) != _SAID.size:
        raise ValueError(f"a message of {len(said)} bytes")
    message = Message(*_SAID.unpack(said))
    if (
        message.kind not in (ENABLE, CUT, ALIVE, DRIVES)
        or not math.isfinite(message.sent_s)
        or math.isnan(message.until_s)
    ):
        raise ValueError(f"a message {message.kind!r} of {message.sent_s} until {message.until_s}")
    return message
