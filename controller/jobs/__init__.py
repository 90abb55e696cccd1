"""Guided work at the box, at a terminal or as a job of the daemon: calibrate servos, camera and dice, test the box."""
