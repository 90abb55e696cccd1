"""Claiming a line of the computer's header: every refusal becomes a `DeviceMissing` with the cure for its cause."""
