"""A player's page: their recent games, with luck and skill told apart."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse

from controller.errors import NotThere
from controller.game.core.players import LONGEST_NAME
from controller.messages.names import game_title
from controller.messages.words import Words, words_in
from controller.opponents.statistics import PlayerStatistics
from controller.web.dependencies import TheLookups, language_of
from controller.web.pages.lookback.figures import Bar, bar_of
from controller.web.pages.page import PageRoute, draw_missing, draw_page
from controller.web.pages.phrases import say_change, say_number, say_score
from controller.web.played import PlayersPage, count_players, list_records

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class GameFigures:
    """A player's figures in one game.

    turns: None in a race, where a game is one turn for everybody.
    luck, choices: points per turn; None if the game has no odds.
    """

    title: str
    played: str
    turns: str | None
    mean: str
    best: str
    luck: Bar | None
    choices: Bar | None
    say: str


@router.get("/players/{name:path}")
async def player(
    request: Request, lookups: TheLookups, name: Annotated[str, Path(min_length=1, max_length=LONGEST_NAME)]
) -> Response:
    """One player, by the name used at the box."""
    words = words_in(language_of(request))
    try:
        found, records = await lookups.recall(count_players), await lookups.recall(list_records)
    except NotThere:
        found, records = PlayersPage(0, ()), ()
    games = [game_figures(each, words) for each in found.players if each.player == name]
    alone = [each for each in records if each.player == name]
    if not games and not alone:
        line = words.gettext("Nobody called {name} has played here of late.").format(name=name)
        return draw_missing(request, line, "/games", words.gettext("All games"))
    return draw_page(request, "lookback/player.html", player=name, counted=found.games, games=games, alone=alone)


def game_figures(found: PlayerStatistics, words: Words) -> GameFigures:
    """Return one game of a player, in words and bars."""
    _, ngettext = words.gettext, words.ngettext
    played = ngettext("{games} game, {wins} won", "{games} games, {wins} won", found.games)
    turns = ngettext("{turns} turn", "{turns} turns", found.turns).format(turns=found.turns)
    luck = choices = None
    # A sentence that is understood without the table.
    told = _("What was luck here and what was skill cannot be worked out quickly.")
    if found.luck is not None and found.errors is not None:
        most = max(abs(found.luck), abs(found.errors)) or 1.0
        luck, choices = bar_of(found.luck, most, words), bar_of(found.errors, most, words)
        errors, is_flawless = say_number(found.errors, words), say_change(found.errors, words) == "0"
        told = {
            (True, True): _("On average the dice saved {luck} points a turn, and no choice could have been better."),
            (False, True): _("On average the dice cost {luck} points a turn, and no choice could have been better."),
            (True, False): _(
                "On average the dice saved {luck} points a turn, and better choices would have saved {errors} more."
            ),
            (False, False): _(
                "On average the dice cost {luck} points a turn, and better choices would have saved {errors}."
            ),
        }[found.luck <= 0, is_flawless].format(luck=say_number(abs(found.luck), words), errors=errors)
    return GameFigures(
        title=game_title(words, found.game),
        played=played.format(games=found.games, wins=found.wins),
        turns=None if found.is_race else turns,
        mean=say_score(None) if found.mean is None else say_number(found.mean, words),
        best=say_score(found.best),
        luck=luck,
        choices=choices,
        say=told,
    )
