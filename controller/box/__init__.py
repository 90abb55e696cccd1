"""Open the hardware, real or simulated, and hand it over as a table; this room knows rules, but no game."""
