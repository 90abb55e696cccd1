"""The page of the games that were played here, the most recent first."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from controller.errors import JournalError, NotThere
from controller.game.core.engine import AnyGame
from controller.game.core.phases import Ended
from controller.game.table.snapshot import scores_of, winners_of
from controller.journal.replay import replay_game
from controller.messages.names import game_title
from controller.messages.words import Words, words_in
from controller.settings import Home
from controller.web.dependencies import TheLookups, language_of, referee_of
from controller.web.lookups import open_games
from controller.web.pages.page import PageRoute, draw_page
from controller.web.pages.phrases import now_here, say_score, say_when

_GAMES_A_PAGE = 20
_LAST_ID = 2**63 - 1

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


Kind = Literal["won", "given_up", "on", "left", "unreadable"]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of the journal; `game` is None if its events cannot be replayed."""

    game_id: int
    began: str = ""
    game: AnyGame | None = None


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game as a line of the list. kind: of its outcome. scores: by player."""

    game_id: int
    title: str
    when: str
    kind: Kind
    outcome: str
    scores: tuple[tuple[str, str], ...] = ()


@router.get("/games")
async def games(
    request: Request, lookups: TheLookups, before: Annotated[int, Query(ge=1, le=_LAST_ID)] = _LAST_ID
) -> HTMLResponse:
    """Twenty games, the most recent first; `before` is the number of the last game of the previous page."""
    words, now = words_in(language_of(request)), now_here()
    try:
        found, older = await lookups.ask(list_games, before)
    except NotThere:
        found, older = (), None
    on = referee_of(request).snapshot.game_id
    lines = [line_of(each, words, say_when(each.began, now, words) if each.began else "", on) for each in found]
    return draw_page(request, "lookback/games.html", lines=lines, older=older, newest=before == _LAST_ID)


def list_games(home: Home, before: int) -> tuple[tuple[PlayedGame, ...], int | None]:
    """Return the last games before that one, and `before` of the next page; None if there is none."""
    found = []
    with open_games(home) as journal:
        ids = [each for each in reversed(journal.game_ids()) if each < before]
        for game_id in ids[:_GAMES_A_PAGE]:
            try:
                entries = journal.entries(game_id)
                found.append(PlayedGame(game_id, entries[0].at if entries else "", replay_game(game_id, entries)))
            except JournalError:
                found.append(PlayedGame(game_id))
    return tuple(found), found[-1].game_id if len(ids) > _GAMES_A_PAGE else None


def line_of(played: PlayedGame, words: Words, when: str, on: int) -> GameLine:
    """Return a game as a line. on: the number of the game at the table."""
    _, game = words.gettext, played.game
    if game is None:
        title = _("Game {number}").format(number=played.game_id)
        return GameLine(played.game_id, title, when, "unreadable", _("This game cannot be read any more."))
    kind: Kind = "won"
    if not isinstance(game.phase, Ended):
        kind = "on" if played.game_id == on else "left"
    elif game.phase.given_up:
        kind = "given_up"
    winners = [game.players[seat].name for seat in winners_of(game)] if kind == "won" else []
    outcome = {
        "on": _("Being played now."),
        "left": _("Not played to its end."),
        "given_up": _("Given up."),
        "won": words.ngettext("{names} won.", "{names} won together.", len(winners)).format(
            names=words.all_of(winners)
        ),
    }[kind]
    if kind == "won" and not winners:
        outcome = _("Nobody won.")
    elif kind == "won" and len(game.players) == 1:
        outcome = _("Played alone.")
    scores = zip((player.name for player in game.players), map(say_score, scores_of(game)), strict=True)
    return GameLine(played.game_id, game_title(words, game.rules.name), when, kind, outcome, tuple(scores))
