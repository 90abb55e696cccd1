"""Tests the hardware and names what is wrong, with the part, what is expected and what to do."""

from firmware.selftest.findings import SelftestReport, TileTimes
from firmware.selftest.page import render_page
from firmware.selftest.selftest import TellStep, examine_firmware
from firmware.selftest.wear import WearBook, WearFile, WearKind, wear_notes

__all__ = [
    "SelftestReport",
    "TellStep",
    "TileTimes",
    "WearBook",
    "WearFile",
    "WearKind",
    "examine_firmware",
    "render_page",
    "wear_notes",
]
