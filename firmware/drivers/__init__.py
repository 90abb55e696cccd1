"""Drivers of the chips, each through its library, on the single owner of the bus."""
