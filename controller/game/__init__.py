"""The game as a pure machine: which events follow from a command, what they change, and what is said of it."""
