"""The PCA9685 as its registers: NXP data sheet rev. 4 (16 April 2015).

7.2 device addresses, 7.3 registers, 7.3.1 MODE1, 7.3.2 MODE2, 7.3.3 LED outputs and PWM, 7.3.5 PRE_SCALE,
7.4 active-low /OE (outside the chip: the world holds the line), 7.5 power-on reset, 7.6 software reset.
"""

from collections.abc import Callable, Sequence

CHANNELS = 16
COUNTS = 4096

MODE1, MODE2, LED0, ALL_LED, PRE_SCALE = 0x00, 0x01, 0x06, 0xFA, 0xFE
_LED_END = LED0 + 4 * CHANNELS  # first address after LED15_OFF_H
_TEST_MODE = 0xFF

RESTART, EXTCLK, AUTO_INCREMENT, SLEEP, ALL_CALL = 0x80, 0x40, 0x20, 0x10, 0x01
_SUB_CALLS = ((0x08, 0x02), (0x04, 0x03), (0x02, 0x04))  # MODE1 bit, register of the address
_ANY_SUB_CALL = 0x08 | 0x04 | 0x02
_ALL_CALL_ADDRESS = 0x05
INVERT, ON_ACKNOWLEDGE, TOTEM_POLE = 0x10, 0x08, 0x04  # bits of MODE2: INVRT, OCH, OUTDRV
FULL = 0x10  # bit 4 of LEDn_ON_H and LEDn_OFF_H

_MODE1_WRITABLE = 0x3F
_MODE2_WRITABLE = 0x1F
_CALL_ADDRESS_WRITABLE = 0xFE
_LED_HIGH_WRITABLE = 0x1F
_PRE_SCALE_LEAST = 0x03

SOFTWARE_RESET = 0x06  # sent to the general call address 0x00


def _hold(register: int, mask: int) -> tuple[tuple[int, int], ...]:
    return tuple((register, bit) for bit in range(8) if mask >> bit & 1)


# The bits that a disturbance can turn over, by register. RESTART is the chip's own report (7.3.1.1); ALL_LED and
# TestMode hold nothing; EXTCLK, once set, stays until the power goes.
BITS = (
    *_hold(MODE1, _MODE1_WRITABLE),
    *_hold(MODE2, _MODE2_WRITABLE),
    *(each for register in range(0x02, LED0) for each in _hold(register, _CALL_ADDRESS_WRITABLE)),
    *(each for register in range(LED0, _LED_END, 2) for each in _hold(register, 0xFF)),
    *(each for register in range(LED0 + 1, _LED_END, 2) for each in _hold(register, _LED_HIGH_WRITABLE)),
    *_hold(PRE_SCALE, 0xFF),
)


def _power_on() -> bytearray:
    """Return every register as after power-on: asleep, all outputs fully off, 200 Hz."""
    registers = bytearray(256)
    registers[MODE1] = SLEEP | ALL_CALL
    registers[MODE2] = 0x04
    registers[0x02:0x06] = bytes((0xE2, 0xE4, 0xE8, 0xE0))
    for channel in range(CHANNELS):
        registers[LED0 + 4 * channel + 3] = FULL
    registers[PRE_SCALE] = 0x1E
    return registers


class PCA9685:
    """One chip.

    oscillator_mhz: this chip's real clock, 23..27.
    output: called with channel, pulse width (None: off) and the time from the frame's beginning to the pulse,
    both in microseconds, whenever an output changes. OUTNE has no effect here: what it makes of the outputs while /OE
    is high is never a pulse.
    """

    bits = BITS

    def __init__(self, address: int, oscillator_mhz: float, output: Callable[[int, float | None, float], None]) -> None:
        self.address = address
        self._oscillator_mhz = oscillator_mhz
        self._output = output
        self._registers = _power_on()
        self._outputs = self._registers[LED0:_LED_END]
        self._pointer = 0
        self._sent_us: list[tuple[float | None, float]] = [(None, 0.0)] * CHANNELS

    def lose_registers(self) -> None:
        """Reset as at power-on (7.5) or by the software reset (7.6)."""
        self._registers = _power_on()
        self._pointer = 0
        self._update_outputs()

    def flip(self, register: int, bit: int) -> None:
        """Turn one bit of a register over, as a disturbance does."""
        self._registers[register] ^= 1 << bit
        self._update_outputs()

    def answers(self, address: int) -> bool:
        """Return True if a write to `address` is acknowledged: its own, or an enabled call address (7.3.7)."""
        mode = self._registers[MODE1]
        if address == self.address:
            return True
        if mode & ALL_CALL and address == self._registers[_ALL_CALL_ADDRESS] >> 1:
            return True
        if not mode & _ANY_SUB_CALL:
            return False
        return any(mode & bit and address == self._registers[register] >> 1 for bit, register in _SUB_CALLS)

    def general_call(self, data: bytes) -> None:
        if data == bytes((SOFTWARE_RESET,)):
            self.lose_registers()

    def write(self, data: bytes) -> None:
        """Receive one write transaction: the control register, then data.

        Outputs change on STOP; with OCH on an acknowledge, once all four registers of a channel were written (7.3.2).
        """
        if not data:
            return
        self._pointer = data[0]
        written: list[int] = []
        for value in data[1:]:
            written.append(self._pointer)
            self._store(self._pointer, value)
            self._step_pointer()
        if len(data) > 1:
            self._update_outputs(written)

    def read(self, count: int) -> bytes:
        """Answer one read transaction from the address of the control register on."""
        read = bytearray()
        for _ in range(count):
            # ALL_LED registers and unused addresses read as 0 (7.3, table 4).
            hidden = ALL_LED <= self._pointer < PRE_SCALE or _LED_END <= self._pointer < ALL_LED
            read.append(0 if hidden else self._registers[self._pointer])
            self._step_pointer()
        return bytes(read)

    def _step_pointer(self) -> None:
        """Step the pointer (7.3.1): with AI it goes 0..69 and 250..254 and rolls over to 0; without, it stays."""
        if not self._registers[MODE1] & AUTO_INCREMENT:
            return
        self._pointer = 0 if self._pointer in (_LED_END - 1, PRE_SCALE, _TEST_MODE) else self._pointer + 1

    def _store(self, register: int, value: int) -> None:
        if register == MODE1:
            self._store_mode1(value)
        elif register == MODE2:
            self._registers[MODE2] = value & _MODE2_WRITABLE
        elif register == PRE_SCALE:
            if self._registers[MODE1] & SLEEP:
                self._registers[PRE_SCALE] = max(value, _PRE_SCALE_LEAST)
        elif ALL_LED <= register < PRE_SCALE:
            for channel in range(CHANNELS):
                self._store_led(LED0 + 4 * channel + register - ALL_LED, value)
        elif LED0 <= register < _LED_END:
            self._store_led(register, value)
        elif register < LED0:
            self._registers[register] = value & _CALL_ADDRESS_WRITABLE

    def _store_led(self, register: int, value: int) -> None:
        is_high_byte = (register - LED0) % 2 == 1
        self._registers[register] = value & _LED_HIGH_WRITABLE if is_high_byte else value
        # 7.3.1.1: writing a PWM register cancels the restart.
        self._registers[MODE1] &= ~RESTART

    def _store_mode1(self, value: int) -> None:
        before = self._registers[MODE1]
        kept = before & RESTART
        if value & RESTART and not before & SLEEP:
            kept = 0  # 7.3.1.1: writing 1 once the oscillator runs resumes the outputs and clears the bit
        if value & SLEEP and not before & SLEEP and any(self._width_us(n) for n in range(CHANNELS)):
            kept = RESTART
        # EXTCLK is sticky, and can be set while asleep only.
        external = before & EXTCLK or (value & EXTCLK if before & SLEEP and value & SLEEP else 0)
        self._registers[MODE1] = value & _MODE1_WRITABLE | kept | external

    def _update_outputs(self, written: Sequence[int] | None = None) -> None:
        """Let the outputs follow their registers. written: those of a write transaction, for OCH."""
        if written is None or not self._registers[MODE2] & ON_ACKNOWLEDGE:
            self._outputs[:] = self._registers[LED0:_LED_END]
        else:
            for begin in range(LED0, _LED_END, 4):
                if any(set(written).issuperset(range(first, first + 4)) for first in (begin, ALL_LED)):
                    self._outputs[begin - LED0 : begin - LED0 + 4] = self._registers[begin : begin + 4]
        for channel in range(CHANNELS):
            on_l, on_h, off_l, off_h = self._leds(channel)
            begins = (off_h << 8 | off_l) if self._registers[MODE2] & INVERT else (on_h << 8 | on_l)
            width_us = self._width_us(channel)
            sent_us = width_us, begins * self._count_us if width_us is not None else 0.0
            if sent_us != self._sent_us[channel]:
                self._sent_us[channel] = sent_us
                self._output(channel, *sent_us)

    @property
    def _count_us(self) -> float:
        return (self._registers[PRE_SCALE] + 1) / self._oscillator_mhz

    def _leds(self, channel: int) -> bytearray:
        """Return the four bytes of a channel that its output follows."""
        return self._outputs[4 * channel : 4 * channel + 4]

    def _width_us(self, channel: int) -> float | None:
        """Return the width of the high part of each frame, 0 if it begins where it ends; None: the line is off (7.3.3).

        An open drain (7.3.2) never makes a line high: that of a servo has no pull-up.
        """
        if self._registers[MODE1] & (SLEEP | RESTART | EXTCLK) or not self._registers[MODE2] & TOTEM_POLE:
            return None
        on_l, on_h, off_l, off_h = self._leds(channel)
        if (on_h | off_h) & FULL:
            return None
        counts = ((off_h << 8 | off_l) - (on_h << 8 | on_l)) % COUNTS
        if self._registers[MODE2] & INVERT:
            counts = COUNTS - counts
        return counts * self._count_us
