"""The simulated wire: an I2C bus, the header's pins, an executor in place and the computer, on one simulated world."""

from firmware.sim.computer import SimulatedComputer
from firmware.sim.executor import InPlaceExecutor
from firmware.sim.i2c import SimulatedI2C, open_i2c, pulse_sent_us
from firmware.sim.pins import WorldPinFactory, open_pin_factory

__all__ = [
    "InPlaceExecutor",
    "SimulatedComputer",
    "SimulatedI2C",
    "WorldPinFactory",
    "open_i2c",
    "open_pin_factory",
    "pulse_sent_us",
]
