"""The simulated wire: an I2C bus, the header's pins, an executor in place and the computer, on one simulated world.

The world may be here or, served as a mock-box, in another process.
"""

from firmware.sim.computer import RemoteComputer, SimulatedComputer, computer_handlers
from firmware.sim.executor import InPlaceExecutor
from firmware.sim.i2c import ChipWires, SimulatedI2C, chips_on, open_i2c, pulse_sent_us
from firmware.sim.pins import WorldPinFactory, open_pin_factory
from firmware.sim.remote import RemoteHeader, RemoteWires, bus_handlers

__all__ = [
    "ChipWires",
    "InPlaceExecutor",
    "RemoteComputer",
    "RemoteHeader",
    "RemoteWires",
    "SimulatedComputer",
    "SimulatedI2C",
    "WorldPinFactory",
    "bus_handlers",
    "chips_on",
    "computer_handlers",
    "open_i2c",
    "open_pin_factory",
    "pulse_sent_us",
]
