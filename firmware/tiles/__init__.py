"""Closed-loop moves of tiles: their order, the drive of one tile, its servo and its sensors."""

from firmware.tiles.bank import TileBank
from firmware.tiles.debounce import CLOSE_POLL_S, HOLD_S, DebouncedSensors
from firmware.tiles.plan import PlannedMove, blocking_tile, opposite, plan_moves
from firmware.tiles.sensors import Sensors
from firmware.tiles.servos import COOLING_S, Servos

__all__ = [
    "CLOSE_POLL_S",
    "COOLING_S",
    "HOLD_S",
    "DebouncedSensors",
    "PlannedMove",
    "Sensors",
    "Servos",
    "TileBank",
    "blocking_tile",
    "opposite",
    "plan_moves",
]
