"""Engines at the command line: the arena, the house as one, and one at a seat of the table."""
