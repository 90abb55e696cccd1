"""Pips: spots that may be some, which of them may make a face, and whether it is one, with a square about it."""
