"""One INA260 current sensor on V+ through its library.

Runs in the bus worker: every method blocks for the time of its transfers.
"""

from adafruit_bus_device.i2c_device import I2CDevice
from adafruit_ina260 import INA260, AveragingCount, ConversionTime, Mode

from firmware.drivers.bus import chip_name, translate_errors
from firmware.errors import ChipDeaf, ChipSilent
from firmware.wire import I2CBus

# Data sheet SBOS656C, 7.4: each value is a mean of 16 conversions of 0.588 ms, with 0.14 ms for the voltage between
# them: 12 ms in all, shorter than two looks.
_COUNT, _CURRENT_TIME, _VOLTAGE_TIME = (
    AveragingCount.COUNT_16,
    ConversionTime.TIME_588_us,
    ConversionTime.TIME_140_us,
)

# 7.6.1: the register, and its value with these settings: fixed bits, mean, times, measuring both without end.
_CONFIGURATION = 0x00
_CONFIGURED = 0x6000 | _COUNT << 9 | _VOLTAGE_TIME << 6 | _CURRENT_TIME << 3 | 0b111


class CurrentSensor:
    """One sensor.

    Lifetime: set up by the first measurement. Concurrency: only the bus worker.
    Raises from every method: `ChipSilent`, `BusHung`.
    """

    def __init__(self, i2c: I2CBus, address: int) -> None:
        self.address = address
        self._i2c = i2c
        self._device = I2CDevice(i2c, address, probe=False)
        self._chip: INA260 | None = None

    @property
    def is_set_up(self) -> bool:
        return self._chip is not None

    def set_up(self) -> None:
        """Configure the chip. Raises `ChipDeaf` if it does not take that."""
        with translate_errors(self.address):
            self._chip = self._set_up()

    def current_a(self) -> float | None:
        """Return the mean current of the last 12 ms, in ampere; None if the configuration is not that of `set_up`."""
        if self._chip is None:
            return None
        with translate_errors(self.address):
            # Before the current: the library waits for ever for a chip that was told to measure once.
            if self._configuration() != _CONFIGURED:
                return None
            return float(self._chip.current) / 1000

    def ping(self) -> None:
        with translate_errors(self.address), self._device as device:
            device.readinto(bytearray(1))

    def _configuration(self) -> int:
        got = bytearray(2)
        with self._device as device:
            device.write_then_readinto(bytes((_CONFIGURATION,)), got)
        return int.from_bytes(got, "big")

    def _set_up(self) -> INA260:
        part = chip_name(self.address)
        # The library's own probe cannot tell a hung bus from a silent chip; a plain read can.
        self.ping()
        try:
            chip = INA260(self._i2c, self.address)
        except (RuntimeError, ValueError) as error:
            raise ChipSilent(part, expected="an INA260 current sensor", seen=str(error)) from error
        chip.mode = Mode.CONTINUOUS
        chip.averaging_count = _COUNT
        chip.current_conversion_time = _CURRENT_TIME
        chip.voltage_conversion_time = _VOLTAGE_TIME
        if self._configuration() != _CONFIGURED:
            raise ChipDeaf(part, expected="a mean over 16 conversions", seen="registers that did not take it")
        return chip
