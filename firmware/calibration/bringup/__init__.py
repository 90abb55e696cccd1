"""Finds out how a new box is wired: its chips, which servo moves which tile and which way, and which sensors see it."""
