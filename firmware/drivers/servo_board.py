"""One PCA9685 servo board through ServoKit, with a check that the chip keeps the values written to it.

A pulse goes from ServoKit to its `Servo` (adafruit_motor) and from there to the PCA9685's library. A `Servo` writes a
duty cycle to whatever output it was given; here that is one whose pulse begins in a slot of the frame.

Runs in the bus worker: every method blocks for the time of its transfers.
"""

import math
import sys
from types import ModuleType
from typing import Any

from adafruit_bus_device.i2c_device import I2CDevice

from firmware.drivers.bus import chip_name, translate_errors
from firmware.errors import ChipDeaf, ChipSilent
from firmware.wire import I2CBus
from hardware.box import MOST_US

CHANNELS = 16
# Data sheet rev. 4, 7.3: registers, 7.3.5: prescale = round(25 MHz / (4096 x frequency)) - 1.
_MODE1, _PRE_SCALE = 0x00, 0xFE
_OSCILLATOR_HZ, _COUNTS = 25_000_000, 4096
_RUNNING = 0x20  # awake, auto-increment on, no call addresses: as the library leaves MODE1
# The registers between MODE1 and the channels as after power-on (7.3.2, 7.3.6, 7.3.7): outputs that drive both ways,
# are not inverted, change on STOP and are low while /OE is high; and call addresses, which MODE1 switches off.
_AS_POWERED_ON = bytes((0x04, 0xE2, 0xE4, 0xE8, 0xE0))
_MODE2, _LED0, _LED_END = 0x01, 0x06, 0x46
_OFF = (0, 0x1000)  # 7.3.3: the counts at which a pulse begins and ends; bit 12 of the second is "fully off"
_DUTY_BITS = 4  # a `Servo` counts the frame in 16 bits, the chip in 12


class _SlotOutput:
    """One output of the chip, as a `Servo` sees it.

    frequency: of the frame in Hz. The library's own output reads it from the chip.
    begins: the count, 0..4095, at which its pulse begins.
    without: the two counts that stand for no pulse.
    """

    def __init__(self, registers: Any, channel: int, frequency_hz: float) -> None:
        self.frequency = frequency_hz
        self.begins = 0
        self.without = _OFF
        self._registers = registers
        self._channel = channel

    def _write(self, duty: int) -> None:
        """Write the beginning and end of the pulse in one transaction: one alone would be a pulse of another width."""
        counts = duty + (1 << _DUTY_BITS - 1) >> _DUTY_BITS  # the `Servo` rounds down, and the frame is 65535 to it
        self._registers[self._channel] = (self.begins, self.begins + counts) if duty else self.without

    duty_cycle = property(fset=_write)


class ServoBoard:
    """One board and its 16 servos.

    Pulses begin in one of `slots` parts of the frame, each as long as the longest pulse, so that pulses in different
    slots never overlap.

    clock_factor: how much longer a pulse of this board is than requested if its clock is assumed to run at 25 MHz.

    Lifetime: nothing is sent before `set_up`. Concurrency: only the bus worker.
    Raises from every method: `ChipSilent`, `BusHung`.
    """

    def __init__(self, i2c: I2CBus, address: int, frequency_hz: int, clock_factor: float = 1.0) -> None:
        self.address = address
        self._i2c = i2c
        self._frequency_hz = frequency_hz
        self._clock_hz = round(_OSCILLATOR_HZ / clock_factor)
        self._prescale = round(self._clock_hz / (_COUNTS * frequency_hz)) - 1
        self._device = I2CDevice(i2c, address, probe=False)
        self._new_kit = _load_servokit()
        self._kit: Any = None
        self._outputs: tuple[_SlotOutput, ...] = ()
        self._registers: Any = None
        self._sent = [_OFF] * CHANNELS
        self._count_us = (self._prescale + 1) / self._clock_hz * 1e6
        # The last pulse ends before the frame, because a count of 4096 would be the bit that means "fully off".
        self.slots = (_COUNTS - 1) // math.ceil(MOST_US / self._count_us)

    @property
    def is_set_up(self) -> bool:
        return self._kit is not None

    def set_up(self) -> None:
        """Wake the chip and write every channel fully off. Raises `ChipDeaf` if it does not keep that."""
        with translate_errors(self.address):
            # The library's own probe cannot tell a hung bus from a silent chip; a plain read can.
            self._read(_MODE1)
            try:
                kit = self._new_kit(
                    channels=CHANNELS,
                    i2c=self._i2c,
                    address=self.address,
                    reference_clock_speed=self._clock_hz,
                    frequency=self._frequency_hz,
                )
            except ValueError as error:
                part = chip_name(self.address)
                raise ChipSilent(part, expected="a PCA9685 servo board", seen=str(error)) from error
            self._take_outputs(kit)
            with self._device as device:
                device.write(bytes((_MODE2,)) + _AS_POWERED_ON)
            for channel in range(CHANNELS):
                self._send(channel, *_OFF)
        if not self.is_intact(every=True):
            raise self._deaf("all channels off", "registers that did not take it")

    def is_intact(self, *, every: bool = False) -> bool:
        """Return True if the chip is awake, with its frequency and mode, as `set_up` left it.

        every: compare all its registers, channels included. What ALL_LED and TestMode hold cannot be read.
        """
        with translate_errors(self.address):
            got = self._read(_MODE1, _LED_END if every else _LED0)
            frequency_is_kept = self._read(_PRE_SCALE) == bytes((self._prescale,))
        sent = b"".join(count.to_bytes(2, "little") for pulse in self._sent for count in pulse)
        wanted = bytes((_RUNNING,)) + _AS_POWERED_ON + sent
        return self.is_set_up and frequency_is_kept and got == wanted[: len(got)]

    def drive(self, channel: int, pulse_us: float, slot: int = 0) -> None:
        """Send pulses of `pulse_us` (500..2400) in that slot. Raises `ChipDeaf` if the chip does not keep them."""
        if not self.is_set_up:
            raise RuntimeError(f"servo board {chip_name(self.address)} is driven before it is set up")
        with translate_errors(self.address):
            begins = slot * (_COUNTS // self.slots)
            kept = self._send(channel, begins, begins + round(pulse_us / self._count_us))
        if not kept:
            raise self._deaf(f"pulses of {pulse_us:.0f} us on channel {channel}", "another register value")

    def end_pulses(self, channel: int) -> bool:
        """Let the pulse of the present frame be the channel's last. Return True if the chip keeps that.

        A pulse that begins where it ends is none (7.3, figure 9, example 4), and the chip takes new counts with the
        next frame (figure 10, examples 1 to 3). Told to be fully off, it may cut the pulse that is under way (example
        4), and the servo would take the rest for a pulse of its own.
        """
        if not self.is_set_up:
            return False
        with translate_errors(self.address):
            ends = self._sent[channel][1]
            return ends < _COUNTS and self._send(channel, ends, ends)

    def release(self, channel: int) -> bool:
        """Stop the pulses of a channel. Return False if the chip has lost its settings and may go on pulsing.

        Raises `ChipDeaf` if it has its settings but goes on.
        """
        if not self.is_set_up:
            return True
        with translate_errors(self.address):
            off = self._send(channel, *_OFF)
        if not off and self.is_intact():
            raise self._deaf(f"channel {channel} off", "pulses going on")
        return off

    def release_all(self) -> None:
        """Stop the pulses of all channels; a board not set up yet may be pulsing from before."""
        if not self.is_set_up or not all(self.release(channel) for channel in range(CHANNELS)):
            self.set_up()

    def ping(self) -> None:
        with translate_errors(self.address):
            self._read(_MODE1)

    def _take_outputs(self, kit: Any) -> None:
        """Give the servos of `kit` outputs with slots, and the whole frame as the range of their pulses."""
        chip = kit._pca
        frame_us = self._count_us * _COUNTS
        self._registers = chip.pwm_regs
        self._outputs = tuple(_SlotOutput(chip.pwm_regs, channel, 1e6 / frame_us) for channel in range(CHANNELS))
        chip.channels = self._outputs
        for channel in range(CHANNELS):
            kit.servo[channel].set_pulse_width_range(0, frame_us)
        self._kit = kit

    def _send(self, channel: int, begins: int, ends: int) -> bool:
        """Send pulses from one count of the frame to the other. Return True if the chip keeps exactly that."""
        self._sent[channel] = (begins, ends)
        self._outputs[channel].begins = begins
        self._outputs[channel].without = (begins, ends)
        counts = (ends - begins) % _COUNTS
        self._kit.servo[channel].fraction = counts / _COUNTS if counts else None
        return bool(self._registers[channel] == self._sent[channel])

    def _read(self, register: int, count: int = 1) -> bytearray:
        got = bytearray(count)
        with self._device as device:
            device.write_then_readinto(bytes((register,)), got)
        return got

    def _deaf(self, expected: str, seen: str) -> ChipDeaf:
        return ChipDeaf(chip_name(self.address), expected=expected, seen=seen)


def _load_servokit() -> Any:
    """Return the class of ServoKit. It is loaded late and without the modules of the computer, so it loads on any.

    ServoKit imports Blinka's `board`, its `Servo` imports `pwmio`; neither is needed where bus and outputs are given.
    On a computer that Blinka does not know, or that lacks a package of it, they raise; where that matters,
    `firmware.pi` opens the bus before and names the cure.
    """
    hidden = {name: ModuleType(name) for name in ("board", "pwmio")}
    known = {name: sys.modules[name] for name in hidden if name in sys.modules}
    sys.modules.update(hidden)
    try:
        import adafruit_motor.servo  # noqa: F401  ServoKit loads it with the first servo, amid a job of the bus
        from adafruit_servokit import ServoKit
    finally:
        for name in hidden:
            del sys.modules[name]
        sys.modules.update(known)
    return ServoKit
