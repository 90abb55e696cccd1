"""Maintain an installation: back up its home in one file, restore it, count restarts, report on its state."""
