"""Every game that the page offers at a simulated box starts from it, with what its form sends."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.box.compatibility import EVERY_GAME
from controller.rules.fleet.cards import CARDS
from controller.runtime.home import Home
from tests.controller.web.pages.elements import elements_of
from tests.support.served_box import Door, ServedBox, open_served_box

PLAYERS = [{"name": "Ann"}, {"name": "House", "house": True, "strength": "steady"}]


def games_on(page: str) -> list[str]:
    """The games that can be started there."""
    radios = (each.attributes for each in elements_of(page) if each.attributes.get("name") == "game")
    return [each["value"] for each in radios if "disabled" not in each]


def options_in(terms: str) -> Mapping[str, str]:
    """What the form of a game's options sends where nobody changes any, and nothing of what names no value.

    Marks are no option, and go by themselves.
    """
    sent, name = {}, ""
    for each in elements_of(terms):
        name = each.attributes.get("name", name)
        if name != "marks" and (each.tag == "input" or "selected" in each.attributes):
            sent[name] = each.attributes["value"]
    return {name: value for name, value in sent.items() if value}


async def start(box: ServedBox, door: Door, game: str) -> None:
    """Start it as the page does, from the options that it has for this game."""
    options = options_in((await door.ask("GET", f"/start/{game}")).text)
    fit = await door.ask("PUT", "/api/box", json={"game": game, "options": options})
    assert fit.is_success, fit.text
    begun = await door.ask(
        "POST", "/api/commands", json={"do": "start", "game": game, "options": options, "players": PLAYERS}
    )
    assert begun.is_success, begun.text
    while box.snapshot.phase == "moving":  # noqa: ASYNC110  the clock jumps
        await asyncio.sleep(0.5)


@pytest.mark.long
async def test_every_game_that_a_simulated_box_can_show_starts_from_the_page(tmp_path: Path) -> None:
    async with open_served_box(Home(tmp_path, tmp_path)) as box:
        door = box.terminal
        games = games_on((await door.ask("GET", "/start")).text)
        assert set(games) == set(EVERY_GAME)
        for game in games:
            await start(box, door, game)
            now = box.snapshot
            first = "naming" if game in CARDS else "awaiting_throw"
            assert (now.game, now.phase, set(now.players)) == (game, first, {"Ann", "House"})
            await door.ask("POST", "/api/commands", json={"do": "abandon"})
