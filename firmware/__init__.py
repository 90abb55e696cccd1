"""Moves the tiles: turns commands into pulses and sensor signals into reports. Knows nothing of games or pictures."""
