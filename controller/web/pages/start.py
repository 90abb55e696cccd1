"""The page on which a game is chosen and started, with the last starts on this box as its defaults."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse

from controller.box.compatibility import EVERY_GAME
from controller.box.set_up import SET_UP_PARTS, find_set_up
from controller.box.start import settings_at_start
from controller.errors import JournalError, NotThere
from controller.game.core.events import GameStarted
from controller.game.core.players import STRENGTHS, Player, read_players
from controller.game.table.engines import any_rules_of
from controller.game.table.variants import DEFAULT_GAME
from controller.messages.words import LANGUAGES, words_in
from controller.referee.referee import Referee
from controller.rules.tiles import Marks
from controller.runtime.home import Home
from controller.settings import Settings
from controller.web.dependencies import TheLookups, TheReferee, language_of
from controller.web.lookups import describe_one_game, list_every_game, open_games
from controller.web.pages.page import PageRoute, draw_page, draw_view, drawn_of
from controller.web.pages.phrases import describe_box, steps_left
from controller.web.pages.scene import TilePictures
from controller.web.pages.terms import MarkKind, list_cards, list_games_for, marks_for, signs_of, terms_of
from controller.web.security.principal import ThePrincipal

_GAMES_BACK = 50
_MOST_NAMES = 12
# The names of nobody, with which the list of players begins, in every language: people who sit down take their places.
PLACEHOLDERS = frozenset(words_in(language).gettext(name) for language in LANGUAGES for name in Settings().players)


@dataclass(frozen=True, slots=True)
class Presets:
    """The default choices."""

    starts: Mapping[str, GameStarted]  # the last start of each game, by its name, the most recent first
    players: tuple[Player, ...]  # those of the last game, or of the settings before the first game
    is_for_one: bool  # a house among them plays because a single person had nobody else
    names: tuple[str, ...]  # of the people who have played here, the most recent first

    def start_of(self, game: str) -> GameStarted | None:
        """Return the last start of a game, if any; the first on this box begins with the first player, not a throw."""
        return self.starts.get(game) if self.starts else GameStarted(game, {"first": "chosen"}, ())


def read_presets(home: Home) -> Presets:
    """Read the presets from the last fifty games of the journal, and from the settings."""
    starts: list[GameStarted] = []
    if home.journal.exists():
        with open_games(home) as journal:
            for game_id in reversed(journal.game_ids()[-_GAMES_BACK:]):
                # An unreadable game has no start.
                with suppress(JournalError):
                    for entry in journal.entries(game_id):
                        if isinstance(entry.event, GameStarted):
                            starts.append(entry.event)
                            break
    by_game: dict[str, GameStarted] = {}
    for start in starts:
        by_game.setdefault(start.game, start)
    if starts:
        players = starts[0].players
    else:
        settings = settings_at_start(home).now
        players = read_players(settings.players, settings.house_players, settings.house_strength)
    people = dict.fromkeys(player.name for start in starts for player in start.players if not player.house)
    known = tuple(name for name in people if name not in PLACEHOLDERS)
    return Presets(by_game, players, sum(not player.house for player in players) <= 1, known[:_MOST_NAMES])


router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/start")
async def start(
    request: Request,
    principal: ThePrincipal,
    referee: TheReferee,
    lookups: TheLookups,
    game: str = "",
    at: Annotated[str, Query(pattern="^kiosk$|^$")] = "",
) -> HTMLResponse:
    """Every game, the options of one of them, and the players. at: the kiosk, which has no keyboard."""
    words = words_in(language_of(request))
    box, games = referee.table.box, await lookups.recall(list_every_game)
    presets = await lookups.ask(read_presets)
    # The requested game, or the one played last.
    chosen = game if game in EVERY_GAME else next(iter(presets.starts), DEFAULT_GAME)
    terms = terms_of(
        next(each for each in games if each.game == chosen),
        presets.start_of(chosen),
        words,
        _pictures_of(request, referee),
    )
    lines = list_games_for(box, games, can_change=referee.table.simulated, words=words)
    is_operator = principal.role == "operator"
    done = await lookups.ask(find_set_up, box, referee.table.simulated) if is_operator else frozenset(SET_UP_PARTS)
    return draw_view(
        request,
        principal,
        "start",
        box=describe_box(box, words),
        games=lines,
        cards=list_cards(lines, chosen, words),
        terms=terms,
        presets=presets,
        placeholders=PLACEHOLDERS,
        strengths=STRENGTHS,
        mine=sorted(principal.caller.seats),
        is_kiosk=bool(at),
        is_operator=is_operator,
        left=steps_left(done, words),
    )


@router.get("/start/{game}")
async def options(request: Request, referee: TheReferee, lookups: TheLookups, game: str) -> HTMLResponse:
    """The options of one game, as a part for the page."""
    if game not in EVERY_GAME:
        raise NotThere("there is no such game; load the page again")
    presets = await lookups.ask(read_presets)
    entry = await lookups.recall(describe_one_game, game)
    words, pictures = words_in(language_of(request)), _pictures_of(request, referee)
    return draw_page(request, "terms.html", terms=terms_of(entry, presets.start_of(game), words, pictures))


@router.get("/start/{game}/marks/{kind}", response_class=JSONResponse)
async def marks(request: Request, game: str, kind: MarkKind) -> Marks:
    """The marks of one set on the tiles of a game with the options in the query."""
    layout = any_rules_of(game, dict(request.query_params)).layout
    return marks_for(layout, signs_of(kind, drawn_of(request).pictures))


def _pictures_of(request: Request, referee: Referee) -> TilePictures | None:
    """Return the pictures that may be chosen; None for a real box, whose tiles cannot change."""
    return drawn_of(request).pictures if referee.table.simulated else None
