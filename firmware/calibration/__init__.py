"""Finds the end points of the servos by small strokes that pure generators decide."""
