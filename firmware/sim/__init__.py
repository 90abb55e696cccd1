"""The simulated wire: an I2C bus, the header's pins and an executor in place, on one simulated world.

The world may be here or, served as a mock-box, in another process.
"""

from firmware.sim.executor import InPlaceExecutor
from firmware.sim.i2c import ChipWires, SimulatedI2C, chips_on, open_i2c
from firmware.sim.pins import WorldPinFactory, open_pin_factory
from firmware.sim.remote import RemoteHeader, RemoteWires, bus_deeds

__all__ = [
    "ChipWires",
    "InPlaceExecutor",
    "RemoteHeader",
    "RemoteWires",
    "SimulatedI2C",
    "WorldPinFactory",
    "bus_deeds",
    "chips_on",
    "open_i2c",
    "open_pin_factory",
]
