"""The panel beside the tiles: button, lamp and lid switch."""

from firmware.panel.lamp import Light
from firmware.panel.panel import ButtonPressed, LidClosed, LidOpened, Panel, PanelEvent

__all__ = ["ButtonPressed", "LidClosed", "LidOpened", "Light", "Panel", "PanelEvent"]
