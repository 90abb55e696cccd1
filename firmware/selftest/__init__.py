"""Tests the hardware and names each fault with the part, the expected result and the cure."""
