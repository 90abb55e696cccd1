"""Finding the end points of servos: what to try next is decided by pure functions, one small stroke at a time."""
