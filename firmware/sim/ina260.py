"""The INA260 as its registers: TI data sheet SBOS656C.

7.5 serial bus, 7.6 registers, 7.6.1 configuration, 7.6.2 current, 7.6.3 bus voltage, 7.6.8 and 7.6.9 identification. It
measures without end; single measurements and the alert are not simulated.
"""

from collections.abc import Callable, Sequence

CONFIGURATION, CURRENT, VOLTAGE, POWER, MANUFACTURER, DIE = 0x00, 0x01, 0x02, 0x03, 0xFE, 0xFF
_RESET = 0x8000
_AT_POWER_ON = 0x6127
_FIXED = {MANUFACTURER: 0x5449, DIE: 0x2270}
_STEP_A, _STEP_V, _STEP_W = 0.00125, 0.00125, 0.01
_MOST = 0x7FFF  # of a signed register
_COUNTS = (1, 4, 16, 64, 128, 256, 512, 1024)
_CONVERSIONS_S = (0.00014, 0.000204, 0.000332, 0.000588, 0.0011, 0.002116, 0.004156, 0.008244)


class INA260:
    """One chip. `current_a` and `volts` are what it measures, `now` the seconds of the world's clock.

    Its mean follows the current as a low pass does, with the time over which the chip takes the mean.
    """

    def __init__(self, address: int, current_a: Callable[[], float], volts: float, now: Callable[[], float]) -> None:
        self.address = address
        self._current_a = current_a
        self._volts = volts
        self._now = now
        self._measured_a = 0.0
        self._measured_s = 0.0
        self.lose_registers()

    def lose_registers(self) -> None:
        self._configuration = _AT_POWER_ON
        self._pointer = CONFIGURATION

    @property
    def bits(self) -> Sequence[tuple[int, int]]:
        """Those of the configuration but the fixed ones and the reset; no other register can be written."""
        return [(CONFIGURATION, bit) for bit in range(12)]

    def flip(self, register: int, bit: int) -> None:
        """Turn one bit of the configuration over, as a disturbance does."""
        self._configuration ^= 1 << bit

    def answers(self, address: int) -> bool:
        return address == self.address

    def general_call(self, data: bytes) -> None:
        """Ignore the general call, as the chip does."""

    def write(self, data: bytes) -> None:
        """Receive one write transaction: the register, then its two bytes; others than the configuration stay."""
        if not data:
            return
        self._pointer = data[0]
        if len(data) == 3 and self._pointer == CONFIGURATION:
            value = int.from_bytes(data[1:], "big")
            # 7.6.1: three bits are fixed.
            self._configuration = _AT_POWER_ON if value & _RESET else value & 0x0FFF | 0x6000

    def read(self, count: int) -> bytes:
        """Answer one read transaction: the register's two bytes, the higher one first, again and again."""
        value = self._value() & 0xFFFF
        return (value.to_bytes(2, "big") * (count // 2 + 1))[:count]

    @property
    def averaging_s(self) -> float:
        """The time of one mean."""
        bits = self._configuration
        return _COUNTS[bits >> 9 & 7] * (_CONVERSIONS_S[bits >> 6 & 7] + _CONVERSIONS_S[bits >> 3 & 7])

    def _value(self) -> int:
        if self._pointer == CONFIGURATION:
            return self._configuration
        if self._pointer == VOLTAGE:
            return round(self._volts / _STEP_V)
        if self._pointer in (CURRENT, POWER):
            now_s = self._now()
            share = min(1.0, (now_s - self._measured_s) / self.averaging_s)
            self._measured_a += (self._current_a() - self._measured_a) * share
            self._measured_s = now_s
            if self._pointer == POWER:
                return round(self._measured_a * self._volts / _STEP_W)
            return min(_MOST, round(self._measured_a / _STEP_A))
        return _FIXED.get(self._pointer, 0)
