"""Sees: a picture becomes a reading of the dice. Knows nothing of games, tiles or wires."""
