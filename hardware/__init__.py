"""The box as data: its profile, tiles, wires and calibration; also drawings of its wiring, and the simulated world."""
