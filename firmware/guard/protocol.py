"""Protocol between a daemon and the guard of its pulses, and how long the daemon may be silent.

It runs over a local socket that keeps messages apart (SOCK_SEQPACKET).

The daemon says `+` (let pulses pass), `-` (stop them), `.` (I live) or `@` (a drive began or ended), when it said so,
and until when the drives that go on may last (infinity: none goes on): seconds of CLOCK_MONOTONIC, which all processes
of a machine share. What lay unread meanwhile is no sign of life now; nor is `@`, which comes from the bus and not from
the event loop.

The guard answers `+` (they pass) or `-` (they do not), and says unasked `!` (stopped, because you kept silent), `>`
(stopped, because a drive lasted too long) or `?` (I serve another process).
"""

import math
import struct
from dataclasses import dataclass

ENABLE, CUT, ALIVE, DRIVES = b"+", b"-", b".", b"@"
PASSES, IS_CUT, WAS_SILENT, OVERRAN, IS_BUSY = b"+", b"-", b"!", b">", b"?"

# Pulses are to be gone within a second of the daemon's silence; an event loop that works comes round in milliseconds.
# Half a second is less than a servo may be driven at a stretch (LONGEST_DRIVE_S), and five signs of life long.
LIMIT_S = 0.5
ALIVE_EVERY_S = 0.1

_SAID = struct.Struct("=cdd")
LONGEST = 64  # bytes read of one message: longer ones are none of ours


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the daemon's: its kind, when it was sent, and until when the drives that go on may last."""

    kind: bytes
    sent_s: float
    until_s: float


def pack(kind: bytes, sent_s: float, until_s: float = math.inf) -> bytes:
    """Pack a message: a byte and two doubles of the machine's own order."""
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
