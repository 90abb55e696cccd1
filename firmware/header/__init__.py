"""Claiming a line of the computer's header: every refusal becomes a `DeviceMissing` with the cure for its cause."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from firmware.header.claim import FORBIDDEN_CURE, USE_LGPIO, claim_line, line_busy
    from firmware.header.input_line import InputLine, edges_missing
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = ["FORBIDDEN_CURE", "USE_LGPIO", "InputLine", "claim_line", "edges_missing", "line_busy"]
