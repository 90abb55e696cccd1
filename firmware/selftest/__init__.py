"""Tests the hardware and names what is wrong, with the part, what is expected and what to do."""

from firmware.selftest.findings import SelftestReport, TileTimes
from firmware.selftest.selftest import TellStep, examine_firmware

__all__ = ["SelftestReport", "TellStep", "TileTimes", "examine_firmware"]
