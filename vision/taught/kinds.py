"""The kinds of dice: with pips, which need not be taught, or custom ones with 6 or 20 sides."""

from typing import Literal

PIPS = "pips"  # the name of the dice that need not be taught
Sides = Literal[6, 20]
