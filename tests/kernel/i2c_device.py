"""The device file of an I2C bus, as i2c-dev offers that of a Raspberry Pi, on the wires of a simulated one.

Of i2c-dev there is what Adafruit's PureIO asks for: choose an address, then plain reads and writes, and transfers of
several messages. Numbers and layouts: include/uapi/linux/i2c-dev.h and i2c.h; errors as the driver of the Raspberry
Pi 4 and older raises them, drivers/i2c/busses/i2c-bcm2835.c.
"""

import errno
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct

from firmware.sim.i2c import Wires
from tests.kernel.cuse import Call, Done, Span, Wanted

_SLAVE, _RDWR = 0x0703, 0x0707
_TRANSFER = Struct("<QI4x")  # i2c_rdwr_ioctl_data: address of the messages, how many
_MESSAGE = Struct("<HHH2xQ")  # i2c_msg: address on the bus, flags, length, address of the bytes
_IS_READ = 0x0001

# Nobody acknowledges: the simulated wires say ENXIO, i2c-bcm2835 EREMOTEIO.
_BCM2835 = {errno.ENXIO: errno.EREMOTEIO}
# i2c_register_adapter: an adapter that names no other timeout waits for one second (HZ).
_TIMEOUT_S = 1.0


@dataclass(frozen=True, slots=True)
class _Message:
    """One message of a transfer."""

    address: int
    is_read: bool
    bytes: Span


class I2CDevice:
    """/dev/i2c-N on simulated wires. A transfer that times out there holds its caller for a second, as the kernel does;
    any other takes longer already than on a Pi, and the wires need no clock.

    Lifetime: as the wires. Concurrency: one call at a time.
    Raises from every method but `close`: `OSError` with the number that the kernel of a Pi would give.
    """

    def __init__(self, wires: Wires, sleep: Callable[[float], None] = time.sleep) -> None:
        self._wires = wires
        self._sleep = sleep
        self._chosen: dict[int, int] = {}

    def write(self, handle: int, data: bytes) -> None:
        """Write to the address that was chosen."""
        self._transfer(self._chosen[handle], data, 0)

    def read(self, handle: int, count: int) -> bytes:
        """Read from the address that was chosen."""
        return self._transfer(self._chosen[handle], None, count)

    def ioctl(self, call: Call) -> Wanted | Done:
        """Choose an address, or transfer messages."""
        if call.command == _SLAVE:
            self._chosen[call.handle] = call.argument
            return Done(0)
        if call.command == _RDWR:
            wanted = _wanted(call.argument, call.data)
            return self._messages(call.data) if wanted.is_in(call) else wanted
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))

    def close(self, handle: int) -> None:
        """Forget the address that was chosen."""
        self._chosen.pop(handle, None)

    def _messages(self, data: bytes) -> Done:
        """Do a transfer that came whole: a write, a read, or a write and then a read with a repeated start."""
        messages = _parse(data)
        written = data[_TRANSFER.size + _MESSAGE.size * len(messages) :]
        match [message.is_read for message in messages]:
            case [False]:
                got = self._transfer(messages[0].address, written, 0)
            case [True]:
                got = self._transfer(messages[0].address, None, messages[0].bytes.length)
            case [False, True] if messages[0].address == messages[1].address:
                got = self._transfer(messages[0].address, written, messages[1].bytes.length)
            case _:
                raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        return Done(len(messages), got)

    def _transfer(self, address: int, data: bytes | None, count: int) -> bytes:
        began_s = time.monotonic()
        try:
            return self._wires.transfer(address, data, count)
        except OSError as error:
            if error.errno == errno.ETIMEDOUT:
                self._sleep(max(0.0, began_s + _TIMEOUT_S - time.monotonic()))
            number = _BCM2835.get(error.errno or errno.EIO, error.errno or errno.EIO)
            raise OSError(number, os.strerror(number)) from error


def _wanted(argument: int, data: bytes) -> Wanted:
    """The caller's memory that a transfer takes, as far as it can be told from the part of it that has come."""
    head = Span(argument, _TRANSFER.size)
    if len(data) < head.length:
        return Wanted((head,), ())
    place, count = _TRANSFER.unpack_from(data)
    messages = Span(place, _MESSAGE.size * count)
    if len(data) < head.length + messages.length:
        return Wanted((head, messages), ())
    parts = [message for message in _parse(data) if message.bytes.length]
    writes = tuple(part.bytes for part in parts if not part.is_read)
    reads = tuple(part.bytes for part in parts if part.is_read)
    return Wanted((head, messages, *writes), reads)


def _parse(data: bytes) -> list[_Message]:
    """The messages of a transfer, out of its first two spans."""
    _, count = _TRANSFER.unpack_from(data)
    places = range(_TRANSFER.size, _TRANSFER.size + _MESSAGE.size * count, _MESSAGE.size)
    fields = (_MESSAGE.unpack_from(data, place) for place in places)
    return [_Message(address, bool(flags & _IS_READ), Span(place, size)) for address, flags, size, place in fields]
