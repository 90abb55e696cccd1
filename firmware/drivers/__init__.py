"""Drivers of the chips, each through its library, on the single owner of the bus."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from firmware.drivers.bus import BUS, PATIENCE_S, Bus, ResetCounter, chip_name
    from firmware.drivers.expander import Expander
    from firmware.drivers.repeating import RepeatingI2C
    from firmware.drivers.servo_board import ServoBoard
    from firmware.drivers.worker import BusWorker, settle
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "BUS",
    "PATIENCE_S",
    "Bus",
    "BusWorker",
    "Expander",
    "RepeatingI2C",
    "ResetCounter",
    "ServoBoard",
    "chip_name",
    "settle",
]
