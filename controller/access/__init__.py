"""Access to this box: operators' devices, the PIN, pairing, and the code with which players join."""
