"""The box as data: its tiles, its wiring, and (beside it, in `sim`) the one simulated world."""
