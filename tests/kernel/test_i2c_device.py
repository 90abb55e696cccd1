"""PureIO, unmodified, on the device of the real-kernel lane; the kernel between the two is played by this process."""

import errno
from ctypes import Structure, addressof, memmove, string_at

import pytest
from Adafruit_PureIO import smbus  # type: ignore[import-untyped]  # it ships no types

from tests.kernel.cuse import Call, Wanted
from tests.kernel.i2c_device import I2CDevice

CHIP, NOBODY = 0x20, 0x21


class OneChip:
    """Wires with one chip, which gives back what was written last; they may hang."""

    def __init__(self) -> None:
        self.kept = b""
        self.hung = False

    def scan(self) -> list[int]:
        return [CHIP]

    def transfer(self, address: int, data: bytes | None, count: int) -> bytes:
        if self.hung:
            raise OSError(errno.ETIMEDOUT, "held down")
        if address != CHIP:
            raise OSError(errno.ENXIO, "nobody")
        self.kept = self.kept if data is None else data
        return self.kept[:count]


class OpenFile:
    """The device file, opened: a kernel that reads and writes this process's memory as the device asks for it."""

    def __init__(self, device: I2CDevice) -> None:
        self._device = device

    def close(self) -> None:
        self._device.close(0)

    def fileno(self) -> "OpenFile":
        return self

    def read(self, count: int) -> bytes:
        return self._device.read(0, count)

    def write(self, data: bytes) -> None:
        self._device.write(0, bytes(data))

    def ioctl(self, command: int, argument: int) -> int:
        answer = self._device.ioctl(Call(0, command, argument, b"", 0))
        wanted = Wanted((), ())
        while isinstance(answer, Wanted):
            wanted = answer
            data = b"".join(string_at(span.address, span.length) for span in wanted.reads)
            answer = self._device.ioctl(Call(0, command, argument, data, sum(span.length for span in wanted.writes)))
        for span in wanted.writes:
            memmove(span.address, answer.data, span.length)
        return answer.result


def play_ioctl(file: OpenFile, command: int, argument: int | Structure) -> int:
    return file.ioctl(command, argument if isinstance(argument, int) else addressof(argument))


@pytest.fixture
def chip() -> OneChip:
    return OneChip()


@pytest.fixture
def slept() -> list[float]:
    return []


@pytest.fixture
def bus(chip: OneChip, slept: list[float], monkeypatch: pytest.MonkeyPatch) -> smbus.SMBus:
    file = OpenFile(I2CDevice(chip, slept.append))
    monkeypatch.setattr(smbus, "ioctl", play_ioctl)
    monkeypatch.setattr(smbus, "open", lambda *_args, **_options: file, raising=False)
    return smbus.SMBus(1)


def test_a_write_reaches_the_chip_that_was_chosen_and_a_read_comes_from_it(bus: smbus.SMBus, chip: OneChip) -> None:
    bus.write_bytes(CHIP, b"\x06\x01\x02")

    assert chip.kept == b"\x06\x01\x02"
    assert bus.read_bytes(CHIP, 2) == b"\x06\x01"


def test_a_write_and_a_read_of_one_transfer_reach_the_callers_memory(bus: smbus.SMBus) -> None:
    assert bus.read_i2c_block_data(CHIP, b"\x06\x07", 2) == b"\x06\x07"


def test_a_probe_without_a_byte_tells_who_is_there(bus: smbus.SMBus) -> None:
    bus.write_quick(CHIP)

    with pytest.raises(OSError, match="Remote I/O error") as caught:
        bus.write_quick(NOBODY)
    assert caught.value.errno == errno.EREMOTEIO


def test_a_hung_bus_holds_its_caller_for_a_second(bus: smbus.SMBus, chip: OneChip, slept: list[float]) -> None:
    chip.hung = True

    with pytest.raises(TimeoutError):
        bus.read_bytes(CHIP, 1)
    assert slept == [pytest.approx(1.0, abs=0.5)]


def test_what_no_driver_asks_for_is_refused(chip: OneChip) -> None:
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        OpenFile(I2CDevice(chip)).ioctl(0x0720, 0)
