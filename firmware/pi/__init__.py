"""The real hardware: the Raspberry Pi's I2C bus and header, opened through Blinka and gpiozero."""

from firmware.pi.computer import PiComputer
from firmware.pi.i2c import open_i2c
from firmware.pi.pinctrl import outputs_stay
from firmware.pi.pins import open_pin_factory

__all__ = ["PiComputer", "open_i2c", "open_pin_factory", "outputs_stay"]
