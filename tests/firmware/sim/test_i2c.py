"""The simulated bus against what busio and Linux do."""

import errno
import threading

import pytest
from adafruit_bus_device.i2c_device import I2CDevice
from adafruit_pca9685 import PCA9685

from firmware.sim.i2c import SimulatedI2C, open_i2c
from hardware.box import load_box
from hardware.sim.faults import apply_fault
from hardware.sim.world import World
from hardware.tiles import TileId
from tests.support.hand_clock import HandClock
from tests.support.true_box import driven_tiles, fail_at_once


def new_bus(seed: int = 1) -> tuple[World, SimulatedI2C]:
    world = World(load_box("two-level-9"), HandClock(), seed)
    return world, open_i2c(world, fail_at_once)


@pytest.fixture
def bus() -> SimulatedI2C:
    _, i2c = new_bus()
    assert i2c.try_lock()
    return i2c


def test_the_lock_is_had_once() -> None:
    _, i2c = new_bus()
    assert i2c.try_lock()
    assert not i2c.try_lock()
    i2c.unlock()
    assert i2c.try_lock()
    i2c.deinit()
    assert i2c.try_lock()


def test_without_the_lock_nothing_is_sent() -> None:
    _, i2c = new_bus()
    with pytest.raises(RuntimeError, match="try_lock"):
        i2c.writeto(0x40, b"\x00")
    with pytest.raises(RuntimeError, match="try_lock"):
        i2c.scan()


def test_a_scan_finds_the_chips_and_the_all_call_address(bus: SimulatedI2C) -> None:
    assert bus.scan() == [0x20, 0x21, 0x40, 0x41, 0x70]


def test_an_address_nobody_owns_does_not_acknowledge(bus: SimulatedI2C) -> None:
    with pytest.raises(OSError, match="No such device") as caught:
        bus.writeto(0x55, b"")
    assert caught.value.errno == errno.ENXIO
    with pytest.raises(OSError, match="No such device") as caught:
        bus.readfrom_into(0x55, bytearray(1))
    assert caught.value.errno == errno.ENXIO


def test_buffers_may_be_sliced(bus: SimulatedI2C) -> None:
    bus.writeto(0x20, b"xx\x0c\xab\xcdyy", start=2, end=5)
    got = bytearray(b"....")
    bus.writeto_then_readfrom(0x20, b"z\x0c", got, out_start=1, in_start=1, in_end=3)
    assert got == b".\xab\xcd."
    bus.writeto(0x20, b"\x0c")
    bus.readfrom_into(0x20, got, start=3)
    assert got == b".\xab\xcd\xab"


def test_the_all_call_reaches_every_servo_board(bus: SimulatedI2C) -> None:
    bus.writeto(0x70, b"\x01\x1c")
    for address in (0x40, 0x41):
        got = bytearray(1)
        bus.writeto_then_readfrom(address, b"\x01", got)
        assert got == b"\x1c"


def test_the_general_call_resets_the_servo_boards_alone(bus: SimulatedI2C) -> None:
    bus.writeto(0x41, b"\x01\x1c")
    bus.writeto(0x20, b"\x0c\xff")
    bus.writeto(0x00, b"\x06")
    got = bytearray(2)
    bus.writeto_then_readfrom(0x41, b"\x01", got, in_end=1)
    bus.writeto_then_readfrom(0x20, b"\x0c", got, in_start=1)
    assert got == b"\x04\xff"


def test_a_silent_chip_and_a_hung_bus_are_different_errors() -> None:
    world, i2c = new_bus()
    apply_fault(world, "silent:0x41")
    assert i2c.try_lock()
    assert i2c.scan() == [0x20, 0x21, 0x40, 0x70]
    with pytest.raises(OSError, match="No such device") as caught:
        i2c.writeto(0x41, b"")
    assert caught.value.errno == errno.ENXIO
    apply_fault(world, "bus:hung")
    with pytest.raises(OSError, match="timed out") as caught:
        i2c.writeto(0x40, b"")
    assert caught.value.errno == errno.ETIMEDOUT
    world.lift()
    i2c.writeto(0x41, b"")


def test_a_second_thread_is_noticed(bus: SimulatedI2C) -> None:
    caught: list[BaseException] = []

    def intrude() -> None:
        try:
            bus.writeto(0x40, b"")
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=intrude)
    thread.start()
    thread.join()
    assert "two threads" in str(caught[0])


def test_the_seed_gives_every_board_its_own_clock_between_23_and_27_mhz() -> None:
    """Seen from outside: the same registers, and different pulses."""
    widths = set()
    for seed in range(10):
        world, i2c = new_bus(seed)
        seen: list[float] = []
        world.drive = lambda wire, pulse_us, on_us, seen=seen: seen.append(pulse_us)  # type: ignore[method-assign, misc, assignment]
        for address in (0x40, 0x41):
            board = PCA9685(i2c, address=address)
            board.frequency = 50
            board.channels[0].duty_cycle = round(1500 / 20_000 * 0xFFFF)
        assert all(1500 * 24.5 / 27 < width < 1500 * 25.5 / 23 for width in seen)
        widths |= set(seen)
    assert len(widths) == 20


def test_the_libraries_probe_finds_and_misses(bus: SimulatedI2C) -> None:
    bus.unlock()
    I2CDevice(bus, 0x20)
    with pytest.raises(ValueError, match="No I2C device at address: 0x33"):
        I2CDevice(bus, 0x33)


def test_it_is_a_context_manager_as_busio_is() -> None:
    _, i2c = new_bus()
    with i2c as inside:
        assert inside is i2c
        assert i2c.try_lock()
    assert i2c.try_lock()


def test_a_chip_that_loses_power_stops_its_pulses() -> None:
    world, i2c = new_bus()
    world.set_line(world.box.panel.output_enable, False)
    board = PCA9685(i2c, address=0x40)
    board.frequency = 50
    board.channels[0].duty_cycle = round(2000 / 20_000 * 0xFFFF)
    assert driven_tiles(world)
    world.forget(0x40)
    assert board.mode1_reg & 0x10, "it sleeps"
    assert not driven_tiles(world)
    assert world.position(TileId(1, 1)).value == "OPEN"
