"""The box as data: its profile, tiles, wires and calibration; beside it its wiring drawn, and the simulated world."""
