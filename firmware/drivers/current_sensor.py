"""One INA260 current sensor on V+ through its library.

Runs in the bus worker: every method blocks for the time of its transfers.
"""

from adafruit_bus_device.i2c_device import I2CDevice
from adafruit_ina260 import INA260, AveragingCount, ConversionTime

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


class CurrentSensor:
    """One sensor. After a loss of its registers it measures on, with a mean over less time.

    Lifetime: set up by the first measurement. Concurrency: only the bus worker.
    Raises from every method: `ChipSilent`, `BusHung`.
    """

    def __init__(self, i2c: I2CBus, address: int) -> None:
        self.address = address
        self._i2c = i2c
        self._device = I2CDevice(i2c, address, probe=False)
        self._chip: INA260 | None = None

    def current_a(self) -> float:
        """Return the mean current of the last 12 ms, in ampere. Raises `ChipDeaf` for a chip that takes no setting."""
        with translate_errors(self.address):
            if self._chip is None:
                self._chip = self._set_up()
            return float(self._chip.current) / 1000

    def ping(self) -> None:
        with translate_errors(self.address), self._device as device:
            device.readinto(bytearray(1))

    def _set_up(self) -> INA260:
        part = chip_name(self.address)
        # The library's own probe cannot tell a hung bus from a silent chip; a plain read can.
        self.ping()
        try:
            chip = INA260(self._i2c, self.address)
        except (RuntimeError, ValueError) as error:
            raise ChipSilent(part, expected="an INA260 current sensor", seen=str(error)) from error
        chip.averaging_count = _COUNT
        chip.current_conversion_time = _CURRENT_TIME
        chip.voltage_conversion_time = _VOLTAGE_TIME
        if chip.averaging_count != _COUNT:
            raise ChipDeaf(part, expected="a mean over 16 conversions", seen="registers that did not take it")
        return chip
