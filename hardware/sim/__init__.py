"""The simulated world below the wire: tiles, servos, sensors, supply and dice, with injectable faults."""
