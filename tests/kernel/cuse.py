"""A character device answered by a process: the kernel's CUSE, spoken without libfuse.

Numbers and layouts: include/uapi/linux/fuse.h of Linux 6.1 (protocol 7.37), 64 bit, little-endian. The kernel hands
over each call on the device as one request, read from /dev/cuse; its caller waits until the answer is written there.
"""

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from struct import Struct
from typing import Protocol

_CUSE = Path("/dev/cuse")

# enum fuse_opcode.
_OPEN, _READ, _WRITE, _RELEASE, _INTERRUPT, _IOCTL, _CUSE_INIT = 14, 15, 16, 18, 36, 39, 4096

_REQUEST = Struct("<IIQQIIII")  # fuse_in_header: length, opcode, unique, node, user, group, process, padding
_ANSWER = Struct("<IiQ")  # fuse_out_header: length, error (0, or an errno as a negative number), unique
_INIT_IN = Struct("<IIII")  # cuse_init_in: major, minor, unused, flags
_INIT_OUT = Struct("<IIIIIIII40x")  # cuse_init_out: as in, largest read and write, number of the device (0: any)
_HANDLE = Struct("<Q")  # the first field of all that is asked of an open device
_OPEN_OUT = Struct("<QII")  # fuse_open_out: handle, flags, padding
_TRANSFER_IN = Struct("<QQIIQII")  # fuse_read_in and fuse_write_in: handle, offset, size, flags, lock owner, flags
_WRITE_OUT = Struct("<II")  # fuse_write_out: size, padding
_IOCTL_IN = Struct("<QIIQII")  # fuse_ioctl_in: handle, flags, command, argument, bytes in, bytes out
_IOCTL_OUT = Struct("<iIII")  # fuse_ioctl_out: result, flags, spans in, spans out
_SPAN = Struct("<QQ")  # fuse_ioctl_iovec: address, length

_UNRESTRICTED_IOCTL = 1 << 0  # the device says which of its caller's memory a command reads and writes
_DIRECT_IO = 1 << 0  # every read and write reaches the device
_RETRY = 1 << 2  # call again, with these spans of the caller's memory

_LARGEST = 8192  # bytes of one read or write, as in i2c-dev
_LARGEST_REQUEST = 64 * 1024  # the kernel wants room for its header and the largest write, 8192 bytes at least


@dataclass(frozen=True, slots=True)
class Span:
    """`length` bytes of the caller's memory."""

    address: int
    length: int


@dataclass(frozen=True, slots=True)
class Call:
    """One ioctl on an open device: `data` is what was read for it of the caller's memory, `room` what it may write."""

    handle: int
    command: int
    argument: int
    data: bytes
    room: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """The answer to a call that needs more of the caller's memory: it comes again with all of `reads`, one by one."""

    reads: tuple[Span, ...]
    writes: tuple[Span, ...]

    def is_in(self, call: Call) -> bool:
        """True if `call` has brought all that is wanted."""
        return len(call.data) == _total(self.reads) and call.room == _total(self.writes)


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to a call that has been done: what ioctl returns, and the bytes for the spans that are written."""

    result: int
    data: bytes = b""


class Device(Protocol):
    """A device's own part. `OSError` from any of these is what the caller's call fails with."""

    def write(self, handle: int, data: bytes) -> None:
        """Take what was written."""

    def read(self, handle: int, count: int) -> bytes:
        """Give at most `count` bytes."""

    def ioctl(self, call: Call) -> Wanted | Done:
        """Do what is called for, or say which memory it takes."""

    def close(self, handle: int) -> None:
        """Forget an open file."""


class Answers:
    """Turns each of the kernel's requests into its answer; nothing here touches /dev/cuse.

    Lifetime: one for each device. Concurrency: one request at a time, as on a bus.
    """

    def __init__(self, name: str, device: Device) -> None:
        self._name = name
        self._device = device
        self._opened = 0
        self._by_opcode = {
            _CUSE_INIT: self._init,
            _OPEN: self._open,
            _READ: self._read,
            _WRITE: self._write,
            _IOCTL: self._ioctl,
            _RELEASE: self._release,
        }

    def answer(self, request: bytes) -> bytes | None:
        """Answer one request; None where the kernel expects nothing. What is not offered is refused with ENOSYS."""
        length, opcode, unique, *_ = _REQUEST.unpack_from(request)
        if opcode == _INTERRUPT:
            return None  # somebody no longer waits for a call that is being answered: that answer does for both
        try:
            if opcode not in self._by_opcode:
                raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
            body = self._by_opcode[opcode](request[_REQUEST.size : length])
        except OSError as error:
            return _ANSWER.pack(_ANSWER.size, -(error.errno or errno.EIO), unique)
        return _ANSWER.pack(_ANSWER.size + len(body), 0, unique) + body

    def _init(self, body: bytes) -> bytes:
        major, minor, _, _ = _INIT_IN.unpack_from(body)
        known = _INIT_OUT.pack(major, minor, 0, _UNRESTRICTED_IOCTL, _LARGEST, _LARGEST, 0, 0)
        return known + f"DEVNAME={self._name}\0".encode()

    def _open(self, _body: bytes) -> bytes:
        self._opened += 1
        return _OPEN_OUT.pack(self._opened, _DIRECT_IO, 0)

    def _read(self, body: bytes) -> bytes:
        handle, _, count, *_ = _TRANSFER_IN.unpack_from(body)
        return self._device.read(handle, count)

    def _write(self, body: bytes) -> bytes:
        handle, _, count, *_ = _TRANSFER_IN.unpack_from(body)
        self._device.write(handle, body[_TRANSFER_IN.size :][:count])
        return _WRITE_OUT.pack(count, 0)

    def _ioctl(self, body: bytes) -> bytes:
        handle, _, command, argument, count, room = _IOCTL_IN.unpack_from(body)
        done = self._device.ioctl(Call(handle, command, argument, body[_IOCTL_IN.size :][:count], room))
        if isinstance(done, Done):
            return _IOCTL_OUT.pack(done.result, 0, 0, 0) + done.data
        spans = b"".join(_SPAN.pack(span.address, span.length) for span in (*done.reads, *done.writes))
        return _IOCTL_OUT.pack(0, _RETRY, len(done.reads), len(done.writes)) + spans

    def _release(self, body: bytes) -> bytes:
        self._device.close(*_HANDLE.unpack_from(body))
        return b""


def serve_device(name: str, device: Device, offered: Callable[[], None]) -> None:
    """Offer `device` as /dev/`name` until this process ends; `offered` is called when it is there.

    Raises `OSError` where the kernel has no CUSE.
    """
    answers = Answers(name, device)
    # Unbuffered: one read is one request, one write one answer.
    with _CUSE.open("r+b", buffering=0) as kernel:
        # The first request is CUSE_INIT: the kernel makes the device while its answer is written.
        _answer_next(kernel, answers)
        offered()
        while True:
            _answer_next(kernel, answers)


def _answer_next(kernel: RawIOBase, answers: Answers) -> None:
    answer = answers.answer(kernel.read(_LARGEST_REQUEST) or b"")
    if answer is not None:
        kernel.write(answer)


def _total(spans: tuple[Span, ...]) -> int:
    return sum(span.length for span in spans)
