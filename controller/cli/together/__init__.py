"""Two boxes, one match: each owns the throws and choices of its own players, and mirrors the other's."""
