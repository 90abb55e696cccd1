"""Exact odds: the value of every board of every game, and the best move. NumPy and the rules only."""
