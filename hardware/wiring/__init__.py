"""The wiring of a box: its wires as data, parts list, checklist for the first power-up, and one SVG sheet."""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from hardware.wiring.checklist import checklist_of
    from hardware.wiring.chips import expander_leg
    from hardware.wiring.drawing import draw_box
    from hardware.wiring.header import pin_of
    from hardware.wiring.listing import WiringList, list_wiring
    from hardware.wiring.parts import parts_of
    from hardware.wiring.plan import Chip, Plan, Role, plan_of
    from hardware.wiring.values import copper_mm2, fuse_a, ohms, output_enable_pull_up, series_ohm
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "Chip",
    "Plan",
    "Role",
    "WiringList",
    "checklist_of",
    "copper_mm2",
    "draw_box",
    "expander_leg",
    "fuse_a",
    "list_wiring",
    "ohms",
    "output_enable_pull_up",
    "parts_of",
    "pin_of",
    "plan_of",
    "series_ohm",
]
