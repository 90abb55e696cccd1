"""The real hardware: the Raspberry Pi's I2C bus and header, opened through Blinka and gpiozero."""
