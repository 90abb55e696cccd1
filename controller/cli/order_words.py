"""The best order of a card, in sentences for a terminal; JSON has all of it."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from controller.rules.fleet.ruleset import FleetRules


def draw_order(rules: FleetRules, found: Mapping[str, Any]) -> Text:
    """Draw the order, its points compared with the order of the sheet, and how it was found."""
    names = [rules.title(rules.combination(name)) for name in found["order"]]
    rounds = "\n".join(f"{place:3}. {name}" for place, name in enumerate(names, start=1))
    said = f"{found['value']:.2f} points on average; {found['in_order']:.2f} in the order of the sheet."
    return Text(f"{rounds}\n{said}\nFound {found['found_by']}.")
