"""Exact odds of Fleet! and Flash!: the throws that a combination takes, and the dice to keep. NumPy and rules only."""
