"""Addresses of pages that consist of more than a name."""

from collections.abc import Mapping
from urllib.parse import urlencode

from controller.box.catalogue import choices_of
from controller.rules.games import GAMES
from controller.rules.options import Value


def rules_url(game: str, chosen: Mapping[str, Value]) -> str:
    """Return the address of the rules of a game, with the chosen options that differ from its defaults."""
    usual = {choice.name: choice.default for choice in choices_of(game)}
    if game in GAMES and GAMES[game].dice_by_width:
        usual["dice"] = GAMES[game].dice_for(int(chosen["columns"]))
    changed = {name: str(value).lower() for name, value in chosen.items() if value != usual[name]}
    return f"/rules/{game}" + (f"?{urlencode(changed)}" if changed else "")
