"""Tests the hardware and names each fault with the part, the expected result and the cure."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from firmware.selftest.examined import Examined, Health
    from firmware.selftest.findings import SelftestReport, TileTimes
    from firmware.selftest.parts import PartSeen, look_at_parts
    from firmware.selftest.selftest import TellStep, examine_firmware
    from firmware.selftest.wear import WearBook, WearFile, WearKind, wear_notes
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "Examined",
    "Health",
    "PartSeen",
    "SelftestReport",
    "TellStep",
    "TileTimes",
    "WearBook",
    "WearFile",
    "WearKind",
    "examine_firmware",
    "look_at_parts",
    "wear_notes",
]
