"""The panel beside the tiles: button, lamp and lid switch."""

from firmware.panel.lamp import Light
from firmware.panel.panel import ButtonHeld, ButtonPressed, LidClosed, LidOpened, Panel, PanelEvent

__all__ = ["ButtonHeld", "ButtonPressed", "LidClosed", "LidOpened", "Light", "Panel", "PanelEvent"]
