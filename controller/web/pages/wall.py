"""The page for the wall; between games it shows the last one that was played to its end, and the house's best at it."""

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.errors import NotThere
from controller.game.core.phases import Ended
from controller.messages.words import Words, words_in
from controller.rules.fleet.cards import CARDS
from controller.web.dependencies import TheLookups, language_of
from controller.web.pages.join import typed_address
from controller.web.pages.lookback.lists import LAST_ID, GameLine, PlayedGame, line_of, list_games
from controller.web.pages.page import PageRoute, draw_view
from controller.web.pages.phrases import now_here, say_when
from controller.web.security.principal import ThePrincipal

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/wall")
async def wall(request: Request, principal: ThePrincipal, lookups: TheLookups) -> HTMLResponse:
    """The table, readable from four metres away; before the first game since the start, the last one played here."""
    try:
        played, _ = await lookups.recall(list_games, LAST_ID)
    except NotThere:
        played = ()
    last = last_game(played, words_in(language_of(request)))
    return draw_view(request, principal, "wall", last=last, address=typed_address(request))


@dataclass(frozen=True, slots=True)
class LastGame:
    """The last game. challenge: the house's best at it, in words; empty if no house has played one to its end."""

    line: GameLine
    challenge: str


def last_game(played: Sequence[PlayedGame], words: Words) -> LastGame | None:
    """Return the last of these games, the most recent of which is the first, that was played to its end."""
    whole = [
        (each, each.game)
        for each in played
        if each.game is not None and isinstance(each.game.phase, Ended) and not each.game.phase.given_up
    ]
    if not whole:
        return None
    last, game = whole[0]
    line = line_of(last, words, say_when(last.began, now_here(), words), on=0)
    # Where several rounds count, how many there were says more than how well they were played.
    found = [
        score
        for _, each in whole
        if each.rules.name == game.rules.name and (each.rules.name in CARDS or not each.standing)
        for player, score in zip(each.players, each.standing or each.scores, strict=True)
        if player.house and score is not None
    ]
    if not found:
        return LastGame(line, "")
    best = max(found) if game.rules.name in CARDS else min(found)
    challenge = words.ngettext(
        "The house's best here is {points} point. Who does better?",
        "The house's best here is {points} points. Who does better?",
        best,
    )
    return LastGame(line, challenge.format(points=best))
