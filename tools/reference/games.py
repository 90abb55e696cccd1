"""The pages of the games: each with its summary, its document, the box that it needs, and its options."""

from collections.abc import Iterator

from controller.box.compatibility import GameEntry, choices_of, list_games
from controller.messages.names import combination_title, document_title, game_title
from controller.messages.options import option_label, option_value
from controller.messages.words import ENGLISH
from controller.rules.fleet.cards import CARDS
from controller.rules.options import Choice, Value
from tools.reference.markdown import Row, code, fence, heading, link, paragraphs, table, text, toctree

_FOLDER = "games"
# An option with more values than these is given by its ends, and its values have no words.
_MOST_VALUES = 6


def game_pages() -> dict[str, str]:
    """Return a page for each game, and one that lists them."""
    games = list_games()
    rows = (
        (
            link(code(game.game), f"{game.game}.md"),
            text(game_title(ENGLISH, game.game)),
            text(game.summary),
            text(document_title(ENGLISH, game.document)),
            _box(game),
        )
        for game in games
    )
    overview = paragraphs(
        heading("Games"),
        toctree((game.game for game in games), hidden=True),
        table(("game", "name", "summary", "as in", "such as on"), rows),
    )
    return {f"{_FOLDER}/index.md": overview, **{f"{_FOLDER}/{game.game}.md": _page_of(game) for game in games}}


def _box(game: GameEntry) -> str:
    return link(code(game.box), f"../profiles/{game.box}.md")


def _page_of(game: GameEntry) -> str:
    title = text(game_title(ENGLISH, game.game))
    options = (_row(choice) for choice in choices_of(game.game))
    return paragraphs(
        heading(f"{title} ({code(game.game)})"),
        text(ENGLISH.gettext(game.summary)),
        f"As in {text(document_title(ENGLISH, game.document))} ({text(game.document)}).",
        f"A box that has its tiles: {_box(game)}.",
        fence(f"shutbox play --game {game.game}", "sh"),
        *_combinations(game.game),
        heading("Options", 2),
        table(("`--set`", "on pages", "meaning", "default", "allowed"), options),
    )


def _combinations(game: str) -> Iterator[str]:
    """Yield the sheet of a race."""
    if game in CARDS:
        card = CARDS[game]
        names = ((code(each), text(combination_title(ENGLISH, each, card.joker))) for each in card.combinations)
        yield heading("Combinations", 2)
        yield table(("combination", "on the sheet"), names)


def _row(choice: Choice) -> Row:
    allowed = text(choice.allowed_text)
    if len(choice.allowed) <= _MOST_VALUES and not choice.allowed_text.startswith(f"{choice.allowed[0]} to "):
        allowed = "; ".join(_value(choice, value) for value in choice.allowed)
    return (
        code(choice.name),
        text(option_label(ENGLISH, choice.name)),
        text(choice.meaning),
        code(_typed(choice.default)),
        allowed,
    )


def _value(choice: Choice, value: Value) -> str:
    """Return a value as it is typed, with its words on the pages if they say more."""
    typed, words = _typed(value), option_value(ENGLISH, choice.name, value)
    return code(typed) if words.lower() == typed else f"{code(typed)} ({text(words)})"


def _typed(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
