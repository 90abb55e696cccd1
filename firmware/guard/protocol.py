"""Protocol between a daemon and the guard of its pulses, and how long the daemon may be silent.

It runs over a local socket that keeps messages apart (SOCK_SEQPACKET).

The daemon says `+` (let pulses pass), `-` (stop them) or `.` (I live), and when it said so: seconds of
CLOCK_MONOTONIC, which all processes of a machine share. What lay unread meanwhile is no sign of life now.

The guard answers `+` (they pass) or `-` (they do not), and says unasked `!` (stopped, because you kept silent) or
`?` (I serve another process).
"""

import math
import struct

ENABLE, CUT, ALIVE = b"+", b"-", b"."
PASSES, IS_CUT, WAS_SILENT, IS_BUSY = b"+", b"-", b"!", b"?"

# Pulses are to be gone within a second of the daemon's silence; an event loop that works comes round in milliseconds.
# Half a second is less than a servo may be driven at a stretch (LONGEST_DRIVE_S), and five signs of life long.
LIMIT_S = 0.5
ALIVE_EVERY_S = 0.1

_SAID = struct.Struct("=cd")
LONGEST = 64  # bytes read of one message: longer ones are none of ours


def pack(kind: bytes, now_s: float) -> bytes:
    """Pack a message of the daemon's, sent at `now_s`: a byte and a double of the machine's own order."""
    return _SAID.pack(kind, now_s)


def unpack(message: bytes) -> tuple[bytes, float]:
    """Unpack a daemon's message: its kind, and when it was sent. Raises `ValueError` for anything else."""
    if len(message) != _SAID.size:
        raise ValueError(f"a message of {len(message)} bytes")
    kind, sent_s = _SAID.unpack(message)
    if kind not in (ENABLE, CUT, ALIVE) or not math.isfinite(sent_s):
        raise ValueError(f"a message {kind!r} of {sent_s}")
    return kind, sent_s
