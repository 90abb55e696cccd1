"""One PCA9685 servo board through ServoKit, with a check that the chip keeps what it is told.

Runs in the bus worker: everything here blocks for the time of its transfers.
"""

from adafruit_bus_device.i2c_device import I2CDevice
from adafruit_servokit import ServoKit

from firmware.drivers.bus import chip_name, translate_errors
from firmware.errors import ChipDeaf, ChipSilent
from firmware.wire import I2CBus
from hardware.box import LEAST_US, MOST_US

CHANNELS = 16
# Data sheet rev. 4, 7.3: registers, 7.3.5: prescale = round(25 MHz / (4096 x frequency)) - 1.
_MODE1, _PRE_SCALE = 0x00, 0xFE
_OSCILLATOR_HZ, _COUNTS = 25_000_000, 4096
_RESTART = 0x80
_RUNNING = 0x20  # awake, auto-increment on, no call addresses: as ServoKit leaves MODE1
# ServoKit maps its fractions to LEAST_US..MOST_US. One count of the 20 ms frame is 4.88 us; rounding may take two.
_TOLERANCE = 10 / (MOST_US - LEAST_US)


class ServoBoard:
    """One board and its 16 servos.

    `clock_factor`: by how much a pulse of this board is longer than asked for while its clock is taken for 25 MHz.

    Lifetime: nothing is sent before `set_up`. Concurrency: the bus worker alone.
    Raises from every method: `ChipSilent`, `BusHung`.
    """

    def __init__(self, i2c: I2CBus, address: int, frequency_hz: int, clock_factor: float = 1.0) -> None:
        self.address = address
        self._i2c = i2c
        self._frequency_hz = frequency_hz
        self._clock_hz = round(_OSCILLATOR_HZ / clock_factor)
        self._prescale = round(self._clock_hz / (_COUNTS * frequency_hz)) - 1
        self._device = I2CDevice(i2c, address, probe=False)
        self._kit: ServoKit | None = None

    def set_up(self) -> None:
        """Wake the chip and write every channel fully off. Raises `ChipDeaf` if it does not keep that."""
        with translate_errors(self.address):
            # ServoKit's own probe cannot tell a hung bus from a silent chip; a plain read can.
            self._read(_MODE1)
            self._kit = self._new_kit()
            for channel in range(CHANNELS):
                self._kit.servo[channel].set_pulse_width_range(LEAST_US, MOST_US)
                self._kit.servo[channel].fraction = None
            all_off = all(self._kit.servo[channel].fraction is None for channel in range(CHANNELS))
        if not self.is_intact() or not all_off:
            raise self._deaf("all channels off", "registers that did not take it")

    def is_intact(self) -> bool:
        """True if the chip is awake with its frequency, as `set_up` left it; after a loss of power it sleeps."""
        with translate_errors(self.address):
            running = self._read(_MODE1) & ~_RESTART == _RUNNING
            return self._kit is not None and running and self._read(_PRE_SCALE) == self._prescale

    def drive(self, channel: int, pulse_us: float) -> None:
        """Send pulses of `pulse_us` (500..2400). Raises `ChipDeaf` if the chip does not keep that."""
        if self._kit is None:
            raise RuntimeError(f"servo board {chip_name(self.address)} is driven before it is set up")
        fraction = (pulse_us - LEAST_US) / (MOST_US - LEAST_US)
        with translate_errors(self.address):
            self._kit.servo[channel].fraction = fraction
            kept = self._kit.servo[channel].fraction
        if kept is None or abs(kept - fraction) > _TOLERANCE:
            raise self._deaf(f"pulses of {pulse_us:.0f} us on channel {channel}", "another register value")

    def release(self, channel: int) -> None:
        """Send no more pulses. Raises `ChipDeaf` if a running chip does not keep that."""
        if self._kit is None:
            return
        with translate_errors(self.address):
            self._kit.servo[channel].fraction = None
            off = self._kit.servo[channel].fraction is None
        # A chip that lost its registers sleeps and pulses nothing: that is released too.
        if not off and self.is_intact():
            raise self._deaf(f"channel {channel} off", "pulses going on")

    def release_all(self) -> None:
        """Send no more pulses to any servo; a board not set up yet may be pulsing from before."""
        if self._kit is None:
            self.set_up()
        for channel in range(CHANNELS):
            self.release(channel)

    def ping(self) -> None:
        """Ask the chip for anything at all."""
        with translate_errors(self.address):
            self._read(_MODE1)

    def _new_kit(self) -> ServoKit:
        try:
            return ServoKit(
                channels=CHANNELS,
                i2c=self._i2c,
                address=self.address,
                reference_clock_speed=self._clock_hz,
                frequency=self._frequency_hz,
            )
        except ValueError as error:
            part = chip_name(self.address)
            raise ChipSilent(part, expected="a PCA9685 servo board", seen=str(error)) from error

    def _read(self, register: int) -> int:
        got = bytearray(1)
        with self._device as device:
            device.write_then_readinto(bytes((register,)), got)
        return got[0]

    def _deaf(self, expected: str, seen: str) -> ChipDeaf:
        return ChipDeaf(chip_name(self.address), expected=expected, seen=seen)
