"""Which addresses on the bus answer, whatever the profile says, and what kind of chip answers there."""

from functools import partial

from adafruit_bus_device.i2c_device import I2CDevice

from firmware.drivers.bus import BUS, Bus, translate_errors
from firmware.errors import BusHung
from firmware.wire import I2CBus

# INA260 data sheet SBOS656C, 7.6.1: the register with the maker's name, in two letters. A PCA9685 has its prescale
# there and a register for tests.
_MAKER, _TEXAS_INSTRUMENTS = 0xFE, b"TI"


class BusScan:
    """The scan of the bus.

    Concurrency: one event loop; the transfers run in the bus worker. Raises `BusFault`.
    """

    def __init__(self, bus: Bus, i2c: I2CBus) -> None:
        self._bus = bus
        self._i2c = i2c

    async def find(self) -> tuple[int, ...]:
        """Return the addresses that answer, lowest first."""
        return tuple(sorted(await self._bus.run(self._scan)))

    async def is_current_sensor(self, address: int) -> bool:
        """Return True if the chip at that address says that it is an INA260."""
        return await self._bus.run(partial(self._read_maker, address)) == _TEXAS_INSTRUMENTS

    def _scan(self) -> list[int]:
        while not self._i2c.try_lock():
            pass
        try:
            return self._i2c.scan()
        except OSError as error:
            seen = error.strerror or "a failed scan"
            raise BusHung(BUS, expected="a scan that ends", seen=seen) from error
        finally:
            self._i2c.unlock()

    def _read_maker(self, address: int) -> bytes:
        got = bytearray(len(_TEXAS_INSTRUMENTS))
        with translate_errors(address), I2CDevice(self._i2c, address, probe=False) as device:
            device.write_then_readinto(bytes((_MAKER,)), got)
        return bytes(got)
