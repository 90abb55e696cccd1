"""Closed-loop moves of tiles: their order, the drive of one tile, its servo and its sensors."""
