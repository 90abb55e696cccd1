"""The pages of lists: the games that were played here, a player with luck and skill told apart, and the dice."""

import math
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from controller.errors import JournalError, NotThere
from controller.game.core.engine import AnyGame
from controller.game.core.phases import Ended
from controller.game.core.players import LONGEST_NAME
from controller.game.table.snapshot import scores_of, winners_of
from controller.journal.replay import replay_game
from controller.messages.names import game_title
from controller.messages.words import Words, words_in
from controller.opponents.fairness import TELLING
from controller.opponents.statistics import PlayerStatistics
from controller.runtime.home import Home
from controller.web.dependencies import TheLookups, language_of, referee_of
from controller.web.lookups import open_games
from controller.web.pages.lookback.figures import Bar, bar_of
from controller.web.pages.page import PageRoute, draw_missing, draw_page
from controller.web.pages.phrases import now_here, say_change, say_number, say_score, say_when
from controller.web.played import DiceView, PlayersPage, count_players, judge_dice, list_records

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)

_GAMES_A_PAGE = 20
LAST_ID = 2**63 - 1

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
    request: Request, lookups: TheLookups, before: Annotated[int, Query(ge=1, le=LAST_ID)] = LAST_ID
) -> HTMLResponse:
    """Twenty games, the most recent first; `before` is the number of the last game of the previous page."""
    words, now = words_in(language_of(request)), now_here()
    try:
        found, older = await lookups.ask(list_games, before)
    except NotThere:
        found, older = (), None
    on = referee_of(request).snapshot.game_id
    lines = [line_of(each, words, say_when(each.began, now, words) if each.began else "", on) for each in found]
    return draw_page(request, "lookback/games.html", lines=lines, older=older, newest=before == LAST_ID)


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


@dataclass(frozen=True, slots=True)
class GameFigures:
    """A player's figures in one game.

    luck, choices: points per turn; None if the game has no odds.
    """

    title: str
    played: str
    turns: str | None  # None in a race, where a game is one turn for everybody
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
        line = words.gettext("Nobody called {name} has played here recently.").format(name=name)
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


_EVENINGS = 100  # the sentence counts how many of these would look as odd


@dataclass(frozen=True, slots=True)
class FaceBar:
    """One face: its count, the difference from its fair share, and the count as a part of the highest one (0..1)."""

    face: int
    count: int
    above: str
    part: float


@dataclass(frozen=True, slots=True)
class DiceStory:
    """The dice with one number of sides: the verdict in a sentence, and every face."""

    heading: str
    verdict: str
    faces: tuple[FaceBar, ...]


@router.get("/dice")
async def dice(request: Request, lookups: TheLookups) -> HTMLResponse:
    """The verdict on the dice, after every throw of the last games."""
    words = words_in(language_of(request))
    try:
        found = await lookups.recall(judge_dice)
    except NotThere:
        found = ()
    return draw_page(request, "lookback/dice.html", stories=[dice_story(each, words) for each in found])


def dice_story(view: DiceView, words: Words) -> DiceStory:
    """Return the story that the throws tell about these dice."""
    share, most = view.dice / view.sides, max(view.counts)
    faces = tuple(
        FaceBar(face, count, say_change(count - share, words), count / most)
        for face, count in enumerate(view.counts, 1)
    )
    heading = words.ngettext(
        "{count} die of {sides} sides was thrown", "{count} dice of {sides} sides were thrown", view.dice
    )
    return DiceStory(heading.format(count=view.dice, sides=view.sides), say_verdict(view, words), faces)


def say_verdict(view: DiceView, words: Words) -> str:
    """Return the verdict in a sentence or two."""
    _, often = words.gettext, math.ceil(_EVENINGS * view.p)
    if view.fair and view.dice < TELLING:
        return _("Nothing is odd about these dice so far. A verdict needs {count} dice or more.").format(count=TELLING)
    if view.fair and often >= _EVENINGS:
        return _("These dice look fair: fair ones look just like this.")
    evenings = {"number": often, "face": view.face}
    if view.fair:
        return words.ngettext(
            "These dice look fair: fair ones look at least as odd on {number} evening of 100.",
            "These dice look fair: fair ones look at least as odd on up to {number} evenings of 100.",
            often,
        ).format(**evenings)
    if view.counts[(view.face or 1) - 1] * view.sides > view.dice:
        told = _("These dice are not fair: the {face} comes too often. Take others.")
    else:
        told = _("These dice are not fair: the {face} comes too seldom. Take others.")
    return told.format(**evenings)
