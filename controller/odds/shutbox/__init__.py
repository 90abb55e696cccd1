"""Exact odds of the Shut the Box family, and players who are simulated by them."""
