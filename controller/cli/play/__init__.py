"""Races at a terminal: what is typed in them, how they are drawn, and how one is told afterwards."""
