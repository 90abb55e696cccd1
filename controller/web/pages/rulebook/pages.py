"""The pages of the rules: the list of all games, and one game with its options."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from controller.game.core.english import as_sentence
from controller.game.core.events import GameStarted
from controller.game.core.message import Language
from controller.game.core.players import Player
from controller.game.shutbox.evolve import replay_box_game
from controller.game.table.engines import any_rules_of, replay
from controller.messages.names import game_title
from controller.messages.words import Words, words_in
from controller.rules.errors import InvalidOption
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.ruleset import FleetRules
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset
from controller.runtime.home import Home
from controller.web.dependencies import TheLookups, language_of
from controller.web.pages.page import PageRoute, draw_missing, draw_page
from controller.web.pages.phrases import say_dice, say_tiles
from controller.web.pages.rulebook.chapters import Chapter, chapters_of
from controller.web.pages.rulebook.examples import Examples, examples_of, revealed_tiles
from controller.web.pages.rulebook.race import CombinationLine, combination_lines, race_chapters
from controller.web.pages.small_board import SmallBoard, draw_board
from controller.web.pages.table.view import TableView, still_table

_MOST_MOVES = 8  # listed of an example

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its caption."""

    board: SmallBoard
    caption: str


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules of one game as a page: the table at the start, and the chapters."""

    title: str
    summary: str
    source: str
    table: TableView
    chapters: tuple[Chapter, ...]
    figures: Mapping[str, tuple[Figure, ...]] = field(default_factory=dict)  # by the name of their chapter
    combinations: tuple[CombinationLine, ...] = ()  # of a race, with an example throw each


@router.get("/rules")
async def all_rules(request: Request) -> HTMLResponse:
    """Every game, in a line each."""
    words = words_in(language_of(request))
    summaries = {preset.name: preset.summary for preset in GAMES.values()}
    summaries |= {card.name: card.summary for card in CARDS.values()}
    games = [(name, game_title(words, name), words.gettext(summary)) for name, summary in summaries.items()]
    return draw_page(request, "rulebook/games.html", games=games)


@router.get("/rules/{game}")
async def rules_page(request: Request, game: str, lookups: TheLookups) -> Response:
    """The rules of a game with the options in the address, by their names on the command line."""
    language = language_of(request)
    try:
        rules = any_rules_of(game, dict(request.query_params))
    except InvalidOption as error:
        line = words_in(language).gettext("There are no such rules.")
        return draw_missing(request, line, "/rules", words_in(language).gettext("All rules"), as_sentence(str(error)))
    if isinstance(rules, FleetRules):
        return draw_page(request, "rulebook/race.html", rules=race_rules_view(rules, language))
    assert isinstance(rules, Ruleset)  # noqa: S101  there are pages for these two families
    # Its examples come from turns of the game, which take a moment to play with many tiles.
    return draw_page(request, "rulebook/rules.html", rules=await lookups.recall(tell_rules, rules, language))


def tell_rules(_home: Home, rules: Ruleset, language: Language) -> RulesView:
    """Return `rules_view`, as lookups ask for it."""
    return rules_view(rules, language)


def race_rules_view(rules: FleetRules, language: Language) -> RulesView:
    """Return the page of these rules of a race."""
    words = words_in(language)
    # The page needs a game without players, but a race has at least two.
    race = replay([GameStarted(rules.name, rules.chosen, (Player("?"), Player("!")))])
    assert race is not None  # noqa: S101  there is an event
    return RulesView(
        title=game_title(words, rules.name),
        summary=words.gettext(rules.card.summary),
        source=_say_source(rules.card.document, words),
        table=still_table(race, language),
        chapters=race_chapters(rules, words),
        combinations=combination_lines(rules, words),
    )


def rules_view(rules: Ruleset, language: Language) -> RulesView:
    """Return the page of these rules."""
    words = words_in(language)
    # The page needs a game without players, but a game has at least one.
    game = replay_box_game([GameStarted(rules.preset.name, rules.chosen, (Player("?"),))])
    assert game is not None  # noqa: S101  there is an event
    return RulesView(
        title=game_title(words, rules.preset.name),
        summary=words.gettext(rules.preset.summary) if rules.is_as_published else "",
        source=_say_source(rules.preset.document, words),
        table=still_table(game, language),
        chapters=chapters_of(rules, words),
        figures=_figures(rules, examples_of(rules), words),
    )


def _say_source(document: str, words: Words) -> str:
    _ = words.gettext
    return {
        "S000": _("After the patent “Two Level Shut the Box Game”."),
        "S001": _("After the rules that English pubs play by."),
        "S002": _("After an article on the game in an encyclopedia."),
        "S003": _("After the patent on the dice game Fleet!, known as Flash! too."),
        "S004": _("After the sheet that a maker puts into their boxes."),
    }[document]


def _figures(rules: Ruleset, examples: Examples, words: Words) -> Mapping[str, tuple[Figure, ...]]:
    """Return the figures, by chapter."""
    _, found = words.gettext, dict[str, tuple[Figure, ...]]()
    if examples.throw is not None:
        board, moves = examples.throw.board, examples.throw.moves
        caption, more = _("Thrown: {dice}. You may shut {moves}."), len(moves) - _MOST_MOVES
        if more > 0:
            caption = words.ngettext(
                "Thrown: {dice}. You may shut {moves}, or one more set.",
                "Thrown: {dice}. You may shut {moves}, or one of {more} more sets.",
                more,
            )
        told = "; ".join(say_tiles(move, words) for move in moves[:_MOST_MOVES])
        caption = caption.format(dice=say_dice(examples.throw.throw.dice, words), moves=told, more=more)
        found["shut"] = (Figure(draw_board(board, words, {tile for move in moves for tile in move}), caption),)
        if examples.reveal is not None:
            # The board after a move, with the tiles that it reveals.
            new = revealed_tiles(board, examples.reveal)
            caption = _("{tiles} went down: {new} came to light.")
            caption = caption.format(tiles=say_tiles(examples.reveal, words), new=say_tiles(new, words))
            found["shut"] += (Figure(draw_board(board.without(examples.reveal), words, new), caption),)
    if examples.fewer is not None:
        found["throw"] = (Figure(draw_board(examples.fewer, words), _("Here one die is enough.")),)
    if examples.lost is not None:
        board = examples.lost.board
        caption = _("Thrown: {dice}. Nothing fits, and {score} is the score.")
        if rules.terms.race == "rotation":
            caption = _("Thrown: {dice}. Nothing fits.")
        caption = caption.format(dice=say_dice(examples.lost.throw.dice, words), score=rules.score(board))
        found["end"] = (Figure(draw_board(board, words), caption),)
    return found
