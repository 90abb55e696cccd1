"""The simulated hardware: an I2C bus and its worker, header pins, an alarm and the computer, on a simulated world.

The world may be in this process or, served as a mock-box, in another one.
"""

from firmware.sim.alarm import WorldAlarm
from firmware.sim.computer import RemoteComputer, SimulatedComputer, computer_handlers
from firmware.sim.i2c import ChipWires, SimulatedI2C, chips_on, fail_at_once, open_i2c, pulse_sent_us
from firmware.sim.pins import WorldPinFactory, open_pin_factory
from firmware.sim.remote import RemoteHeader, RemoteWires, bus_handlers
from firmware.sim.worker import SimulatedWorker

__all__ = [
    "ChipWires",
    "RemoteComputer",
    "RemoteHeader",
    "RemoteWires",
    "SimulatedComputer",
    "SimulatedI2C",
    "SimulatedWorker",
    "WorldAlarm",
    "WorldPinFactory",
    "bus_handlers",
    "chips_on",
    "computer_handlers",
    "fail_at_once",
    "open_i2c",
    "open_pin_factory",
    "pulse_sent_us",
]
