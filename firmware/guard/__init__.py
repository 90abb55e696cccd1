"""The servos' /OE line, and the process that owns it: no pulses without a live daemon."""
