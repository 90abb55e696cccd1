"""Measures how well and how fast pictures of known dice are read."""
