"""Moves: a command becomes a pulse, a magnet becomes a report. Knows nothing of games or pictures."""
