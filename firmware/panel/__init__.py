"""What people press and see beside the tiles: button, lamp and lid."""

from firmware.panel.lamp import Light
from firmware.panel.panel import ButtonPressed, LidClosed, LidOpened, Panel, PanelEvent

__all__ = ["ButtonPressed", "LidClosed", "LidOpened", "Light", "Panel", "PanelEvent"]
