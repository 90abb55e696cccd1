"""Addresses of rules: those of a game with the options that differ from its own."""

from urllib.parse import urlencode

from controller.rules import Ruleset


def rules_url(rules: Ruleset) -> str:
    """The address of the page that tells these rules."""
    usual = {choice.name: choice.default for choice in rules.preset.choices}
    changed = {name: str(value).lower() for name, value in rules.chosen.items() if value != usual[name]}
    return f"/rules/{rules.preset.name}" + (f"?{urlencode(changed)}" if changed else "")
