"""Transfers that fail once are made again; those that fail again and again, or take their whole time, are not."""

import errno
import os
from collections.abc import Iterable

import pytest

from firmware.drivers.bus import RetryingI2C
from firmware.errors import BusHung, ChipSilent
from firmware.sim.i2c import ChipWires
from hardware.tiles import Position, TileId
from tests.support.firmware_rig import open_rig

CHIP, OTHER = 0x20, 0x40
FRONT_7 = TileId.parse("front-7")


class Sparks:
    """A bus whose transfers fail with these numbers, one after the other; 0: it works, as it does after the last."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = [*numbers]
        self.made = 0
        self.now_s = 0.0

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        """Nobody else wants it."""

    def deinit(self) -> None:
        """Nothing is held."""

    def scan(self) -> list[int]:
        return [CHIP]

    def writeto(self, _address: int, _buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        assert (start, end) == (1, 3)
        self._work()

    def readfrom_into(self, _address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        self._work()
        buffer[start:end] = b"r" * len(buffer[start:end])

    def writeto_then_readfrom(
        self,
        _address: int,
        out_buffer: bytes,
        in_buffer: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        self._work()
        in_buffer[in_start:in_end] = out_buffer[out_start:out_end]

    def _work(self) -> None:
        self.made += 1
        number = self._numbers.pop(0) if self._numbers else 0
        if number:
            raise OSError(number, os.strerror(number))


def repeating(sparks: Sparks) -> RetryingI2C:
    return RetryingI2C(sparks, lambda: sparks.now_s)


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.EAGAIN])
def test_every_kind_of_transfer_is_made_again(number: int) -> None:
    for kind in range(3):
        sparks = Sparks(number)
        got = bytearray(4)
        if kind == 0:
            repeating(sparks).writeto(CHIP, b"abcd", start=1, end=3)
        elif kind == 1:
            repeating(sparks).readfrom_into(CHIP, got, start=1)
            assert got == b"\0rrr"
        else:
            repeating(sparks).writeto_then_readfrom(CHIP, b"abcd", got, out_start=1, out_end=3, in_end=2)
            assert got == b"bc\0\0"
        assert sparks.made == 2


def test_a_chip_that_is_not_there_is_asked_three_times_each_time() -> None:
    sparks = Sparks(*[errno.EREMOTEIO] * 9)
    i2c = repeating(sparks)
    with pytest.raises(OSError, match="Remote I/O"):
        i2c.readfrom_into(CHIP, bytearray(1))
    assert sparks.made == 3
    with pytest.raises(OSError, match="Remote I/O"):
        i2c.readfrom_into(CHIP, bytearray(1))
    assert sparks.made == 6, "after a fault the count begins anew"


def test_two_in_ten_seconds_are_accidents_and_a_third_is_a_loose_wire_of_that_chip() -> None:
    sparks = Sparks(errno.EIO, 0, errno.EIO, 0, errno.EIO)
    i2c = repeating(sparks)
    for _ in range(2):
        i2c.readfrom_into(CHIP, bytearray(1))
        sparks.now_s += 4.9
    with pytest.raises(OSError, match="Input/output"):
        i2c.readfrom_into(CHIP, bytearray(1))


@pytest.mark.parametrize(("address", "now_s"), [(CHIP, 10.1), (OTHER, 0.0)])
def test_later_ones_and_those_of_another_chip_count_by_themselves(address: int, now_s: float) -> None:
    sparks = Sparks(errno.EIO, 0, errno.EIO, 0, errno.EIO)
    i2c = repeating(sparks)
    for _ in range(2):
        i2c.readfrom_into(CHIP, bytearray(1))
    sparks.now_s = now_s
    i2c.readfrom_into(address, bytearray(1))
    assert sparks.made == 6


def test_a_bus_that_hangs_is_not_asked_twice() -> None:
    sparks = Sparks(errno.ETIMEDOUT)
    with pytest.raises(TimeoutError):
        repeating(sparks).readfrom_into(CHIP, bytearray(1))
    assert sparks.made == 1


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO])
@pytest.mark.parametrize("place", [0.0, 0.3, 0.6, 0.9])
async def test_one_disturbed_transfer_stops_no_move(monkeypatch: pytest.MonkeyPatch, number: int, place: float) -> None:
    made = disturb(monkeypatch, (), number)
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        count = len(made)
    disturb(monkeypatch, [round(place * count)], number)
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        assert rig.world.position(FRONT_7) is Position.SHUT


async def test_disturbed_without_end_the_fault_names_what_it_named_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, fault in ((errno.EREMOTEIO, ChipSilent), (errno.EIO, BusHung)):
        disturb(monkeypatch, range(100_000), number)
        async with open_rig() as rig:
            with pytest.raises(fault):
                await rig.execute("front-7 SHUT")


def disturb(monkeypatch: pytest.MonkeyPatch, places: Iterable[int], number: int) -> list[int]:
    """Let the transfers of these numbers fail; all that are made are noted."""
    made: list[int] = []
    failing = set(places)

    def transfer(self: ChipWires, address: int, data: bytes | None, count: int) -> bytes:
        made.append(address)
        if len(made) - 1 in failing:
            raise OSError(number, os.strerror(number))
        return whole(self, address, data, count)

    monkeypatch.setattr(ChipWires, "transfer", transfer)
    return made


whole = ChipWires.transfer
