"""Boxes with a current sensor on V+."""

from hardware.box import Box, load_box

SENSOR = 0x44


def sensed(name: str = "two-level-9") -> Box:
    """A shipped build with an INA260 at 0x44."""
    box = load_box(name)
    return box.model_copy(update={"supply": box.supply.model_copy(update={"current_sensor": SENSOR})})
