"""Reads dice from pictures. Knows nothing of games, tiles or wires."""
