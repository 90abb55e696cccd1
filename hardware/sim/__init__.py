"""The simulated world: wood, servos, magnets, switches, supply and dice. It knows nothing above the wire."""
