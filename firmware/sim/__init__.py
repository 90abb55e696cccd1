"""The simulated hardware: an I2C bus and its worker, header pins, an alarm and the computer, on a simulated world."""
