"""The page on which a game is replayed throw by throw, next to its analysis by the odds."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from controller.errors import JournalError, NotThere
from controller.game.fleet.state import Race
from controller.game.shutbox.state import Game
from controller.messages.names import game_title
from controller.messages.words import words_in
from controller.runtime.home import Home
from controller.web.dependencies import TheLookups, language_of, latest_event
from controller.web.pages.lookback.picture import picture_of
from controller.web.pages.lookback.race import ChipClaim, claims_of, rounds_of
from controller.web.pages.lookback.replay_view import replay_view_of, say_luck
from controller.web.pages.lookback.turns import Turn, turns_of
from controller.web.pages.page import PageRoute, draw_missing, draw_page
from controller.web.pages.phrases import now_here, say_when
from controller.web.pages.scene import TilePictures
from controller.web.pages.table.view import rules_url, still_table
from controller.web.played import game_luck_of, read_game

_LAST_ID = 2**63 - 1
_MOST_THROWS = 10**6
# The time that a page waits for the odds; slower ones come with the next look.
_PATIENCE_S = 1.5

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game of the journal: its beginning, its last state, its turns, and the pictures on its tiles."""

    began: str
    game: Game
    turns: tuple[Turn, ...]
    pictures: TilePictures


@dataclass(frozen=True, slots=True)
class RacePlayed:
    """A race of the journal: its beginning, its last state, and its claims."""

    began: str
    race: Race
    claims: tuple[ChipClaim, ...]


@router.get("/games/{game_id}")
async def game_replayed(
    request: Request,
    lookups: TheLookups,
    game_id: Annotated[int, Path(ge=1, le=_LAST_ID)],
    move: Annotated[int, Query(ge=1, le=_MOST_THROWS)] = 1,
) -> Response:
    """One game after its throw number `move`, with the turn of this throw; for a race, all its rounds."""
    language, as_of = language_of(request), latest_event(request, game_id)
    words = words_in(language)
    try:
        played = await lookups.recall(replay_game, game_id, as_of)
    except (JournalError, NotThere) as error:
        line = words.gettext("There is no game {number} here.")
        if isinstance(error, JournalError):
            line = words.gettext("Game {number} cannot be read any more.")
        return draw_missing(request, line.format(number=game_id), "/games", words.gettext("All games"))
    when = say_when(played.began, now_here(), words)
    if isinstance(played, RacePlayed):
        rules = played.race.rules
        return draw_page(
            request,
            "lookback/race.html",
            game_id=game_id,
            title=game_title(words, rules.name),
            when=when,
            rules=rules_url(rules.name, rules.chosen),
            table=still_table(played.race, language),
            rounds=rounds_of(played.race, played.claims, words),
        )
    tells_odds = played.game.tells_odds
    story = await lookups.recall_within(_PATIENCE_S, game_luck_of, game_id, as_of) if tells_odds else None
    replay = None
    if played.turns:  # somebody has thrown already
        replay = replay_view_of(played.game, played.turns, story, move, language, played.pictures)
    return draw_page(
        request,
        "lookback/replay.html",
        game_id=game_id,
        title=game_title(words, played.game.rules.preset.name),
        when=when,
        rules=rules_url(played.game.rules.preset.name, played.game.rules.chosen),
        tells_odds=tells_odds,
        waits=story is None,
        replay=replay,
    )


@router.get("/games/{game_id}/luck")
async def luck(request: Request, lookups: TheLookups, game_id: Annotated[int, Path(ge=1, le=_LAST_ID)]) -> Response:
    """The luck in a game, for its ending. 204: the odds are being computed; ask again."""
    story = await lookups.recall_within(_PATIENCE_S, game_luck_of, game_id, latest_event(request, game_id))
    if story is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return draw_page(request, "lookback/luck.html", lines=say_luck(story, words_in(language_of(request))))


@router.get("/games/{game_id}/picture")
async def game_picture(
    request: Request, lookups: TheLookups, game_id: Annotated[int, Path(ge=1, le=_LAST_ID)]
) -> Response:
    """One game as a picture to pass on; with the curve of luck, where its odds are known by now."""
    language, as_of = language_of(request), latest_event(request, game_id)
    words = words_in(language)
    played = await lookups.recall(replay_game, game_id, as_of)
    if not isinstance(played, Replayed):
        raise NotThere(f"game {game_id} is a race, of which there is no picture")
    tells_odds = played.game.tells_odds
    story = await lookups.recall_within(_PATIENCE_S, game_luck_of, game_id, as_of) if tells_odds else None
    page = draw_page(
        request,
        "lookback/picture.svg",
        title=game_title(words, played.game.rules.preset.name),
        when=say_when(played.began, now_here(), words),
        picture=picture_of(played.game, played.turns, story, words),
    )
    page.headers["Content-Type"] = "image/svg+xml"
    return page


def replay_game(home: Home, game_id: int, _as_of: int) -> Replayed | RacePlayed:
    """Replay the game of this number. _as_of: as for `game_luck_of`. Raises as `read_game`."""
    entries, game = read_game(home, game_id)
    events = [entry.event for entry in entries]
    if isinstance(game, Race):
        return RacePlayed(entries[0].at, game, claims_of(events))
    assert isinstance(game, Game)  # noqa: S101  there are pages for these two families
    return Replayed(entries[0].at, game, turns_of(events), TilePictures(home.tile_pictures))
