"""The panel beside the tiles: button, lamp and lid switch."""
