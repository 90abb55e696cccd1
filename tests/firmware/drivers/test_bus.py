"""The one owner of the bus: order, names for errors, and jobs that are never dropped."""

import asyncio
import errno
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from firmware.drivers.bus import Bus, ResetCounter, chip_name, translate_errors
from firmware.errors import BusFault, BusHung, ChipForgot, ChipSilent
from firmware.sim import InPlaceExecutor


async def test_a_job_gives_its_result_or_its_error() -> None:
    bus = Bus(InPlaceExecutor())
    assert await bus.run(lambda: 42) == 42
    with pytest.raises(ZeroDivisionError):
        await bus.run(lambda: 1 // 0)


async def test_a_job_asked_for_is_done_even_if_its_caller_is_cancelled() -> None:
    """A release that waits behind a blocked transfer must not be lost."""

    gate, done = threading.Event(), []
    with ThreadPoolExecutor(max_workers=1) as worker:
        bus = Bus(worker)
        blocked = asyncio.ensure_future(bus.run(gate.wait))
        release = asyncio.ensure_future(bus.run(lambda: done.append("released")))
        await asyncio.sleep(0)
        release.cancel()
        with pytest.raises(asyncio.CancelledError):
            await release
        gate.set()
        await blocked
    assert done == ["released"]


@pytest.mark.parametrize("number", [errno.ENXIO, errno.EREMOTEIO, errno.ENODEV])
def test_no_acknowledge_is_a_silent_chip(number: int) -> None:
    with pytest.raises(ChipSilent) as caught, translate_errors(0x41):
        raise OSError(number, "no")
    assert caught.value.fault.part == "0x41"


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EAGAIN, errno.EIO])
def test_everything_else_is_a_hung_bus(number: int) -> None:
    with pytest.raises(BusHung) as caught, translate_errors(0x41):
        raise OSError(number, "stuck")
    assert caught.value.fault.part == "i2c"
    assert "0x41" in caught.value.fault.expected
    assert caught.value.fault.seen == "stuck"


def test_chips_are_named_as_people_write_them() -> None:
    assert chip_name(0x7) == "0x07"


def test_three_losses_within_ten_seconds_are_one_too_many() -> None:
    losses = ResetCounter()
    for at_s in (0.0, 9.0, 10.5, 19.5, 21.0):
        losses.count(0x40, at_s)
        losses.count(0x41, at_s * 100)
    with pytest.raises(ChipForgot) as caught:
        losses.count(0x40, 22.0)
    assert caught.value.fault.part == "0x40"
    losses.count(0x40, 22.1)


def test_the_tree_of_faults_has_one_code_each() -> None:
    def leaves(kind: type[BusFault]) -> list[type[BusFault]]:
        return [leaf for child in kind.__subclasses__() for leaf in leaves(child)] or [kind]

    kinds = leaves(BusFault)
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all(kind.cure.endswith(".") and kind.__doc__ for kind in kinds)
