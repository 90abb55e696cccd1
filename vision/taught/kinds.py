"""Which dice there are: with pips, which need not be taught, or taught ones with so many sides."""

from typing import Literal

PIPS = "pips"  # what the box reads without being taught
Sides = Literal[6, 20]
