"""The pages of the rules: of every game, with every value of every option; their examples could stand on the table."""

from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.messages.words import words_in
from controller.rules.errors import InvalidOption
from controller.rules.options import Choice, Value
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.web.pages.rulebook import chapters
from controller.web.pages.rulebook.chapters import chapters_of
from controller.web.pages.rulebook.examples import Example, examples_of, revealed_tiles
from controller.web.pages.rulebook.pages import rules_view
from controller.web.pages.table.view import rules_url
from controller.web.pages.templates import Templates
from tests.support.api import open_api
from tests.support.together import together

WORDS = words_in("en")
# What an option needs beside it to make a difference. What is not named here makes one by itself.
BESIDE: dict[str, dict[str, Value]] = {
    "one_die_limit": {"one_die": "at_most"},
    "one_die_total": {"one_die": "at_most", "rows": 2},
    "one_die_forced": {"one_die": "at_most"},
    "many_dice": {"one_die": "at_most", "dice": 4},
    "double_stake": {"stake": 1},
    "odd_coin": {"stake": 1},
    "match_limit": {"match": "tournament"},
    "match_end": {"match": "tournament"},
    "match_shut": {"match": "tournament"},
    "match_tie": {"match": "tournament"},
    "all_drop": {"match": "drop-out"},
    "rounds": {"match": "points"},
    "columns": {"score": "showing"},
    "rows": {"score": "showing"},
    "score": {"rows": 2},
}
# Where no tile is hidden, those that stand are those that are to be seen.
ALIKE = {game: ("one_die_total",) for game, preset in GAMES.items() if preset.fixed.rows == 1}
MOST_VALUES = 6  # of a long run of numbers: its ends, and some between


def values_of(choice: Choice) -> list[Value]:
    step = max(1, len(choice.allowed) // MOST_VALUES)
    return [*choice.allowed[::step], choice.allowed[-1]]


def rules_with(game: str, choice: Choice) -> Iterator[Ruleset]:
    """A game with the values of an option, each beside what it needs; those that do not go together left out."""
    known = {each.name for each in GAMES[game].choices}
    beside = {**BESIDE.get(choice.name, {}), **({} if choice.name == "race" else {"race": "turn"})}
    given = {name: value for name, value in beside.items() if name in known}
    for value in values_of(choice):
        with suppress(InvalidOption):
            yield rules_of(game, {**given, choice.name: value})


def every_rules() -> Iterator[Ruleset]:
    """Every game with the values of every option."""
    for game, preset in GAMES.items():
        for choice in preset.choices:
            yield from rules_with(game, choice)


def told(rules: Ruleset) -> str:
    return "\n".join(sentence for chapter in chapters_of(rules, WORDS) for sentence in chapter.sentences)


@pytest.mark.parametrize(
    ("game", "given", "said", "unsaid"),
    [
        (
            "pub",
            {"stake": 5},
            "For a shut box that ends the round at once, all others pay 1 more stake.",
            "the pool of",
        ),
        ("pub", {"stake": 5, "shut": "play_on"}, "still have their turn", "For a shut box"),
        ("pub", {"stake": 5, "match": "tournament"}, "still have their turn", "For a shut box"),
        ("2-to-go", {"match": "drop-out"}, "your first throw, you score all the tiles", "out of the round"),
        ("2-to-go", {"match": "points"}, "your first throw, you are out of the round", "score all the tiles"),
        ("pub", {"match": "points", "ties": "carry_over"}, "nobody wins the round.", "played again"),
        ("pub", {"ties": "carry_over", "stake": 1}, "The pool of a round that nobody wins stays", "wins the round,"),
        (
            "lucky-7",
            {"match": "tournament", "match_shut": "wins_match"},
            "Every score is added up.",
            "The lowest score",
        ),
        (
            "lucky-7",
            {"match": "tournament", "match_shut": "wins_match"},
            "wins the whole match",
            "still have their turn",
        ),
    ],
)
def test_what_is_said_of_rounds_and_coins_holds_in_that_match(
    game: str, given: dict[str, Value], said: str, unsaid: str
) -> None:
    text = told(rules_of(game, given))
    assert said in text
    assert unsaid not in text


def test_the_sentence_that_sums_a_game_up_stands_where_it_holds() -> None:
    assert rules_view(rules_of("pub"), "en").summary.startswith("One row. When 7, 8 and 9 are shut")
    assert rules_view(rules_of("pub", {"match": "points"}), "en").summary
    assert rules_view(rules_of("pub", {"one_die": "never"}), "en").summary == ""
    assert rules_view(rules_of("lucky-7", {"race": "turn"}), "en").summary == ""


def test_every_game_with_every_value_of_every_option_is_told_without_gaps() -> None:
    count = 0
    for rules in every_rules():
        text = told(rules)
        assert "{" not in text, rules.chosen
        assert "_" not in text, "the name of an option is nothing for people"
        count += 1
    assert count > 1000


def test_an_option_without_a_sentence_is_told_by_its_label(monkeypatch: pytest.MonkeyPatch) -> None:
    limited = rules_of("pub", {"max_tiles": 3})
    assert "Also agreed" not in [chapter.title for chapter in chapters_of(limited, WORDS)]
    monkeypatch.setattr(chapters, "_shut", lambda _rules, _words: iter(()))
    assert chapters_of(limited, WORDS)[-1].sentences == ("Tiles that one throw may shut: 3.",)


@together("game", GAMES)
def test_no_option_is_kept_from_whoever_reads(game: str) -> None:
    untold = []
    for choice in GAMES[game].choices:
        texts = {told(rules) for rules in rules_with(game, choice)}
        if len(texts) < 2 and len(choice.allowed) > 1 and choice.name not in ALIKE.get(game, ()):
            untold.append(choice.name)
    assert not untold


def check_example(rules: Ruleset, example: Example) -> None:
    assert rules.board(str(example.board)) == example.board
    assert rules.check_throw(example.throw) == example.throw
    assert len(example.throw.dice) in rules.dice_allowed(example.board)
    assert example.moves == rules.legal_moves(example.board, example.throw)


@st.composite
def any_rules(draw: st.DrawFn) -> Ruleset:
    game = draw(st.sampled_from([game for game in GAMES if game != "the-300"]))
    small = {"columns": st.integers(1, 9), "rows": st.integers(1, 3), "dice": st.integers(1, 3)}
    given = {}
    for choice in GAMES[game].choices:
        if draw(st.booleans()):
            allowed = small.get(choice.name) if choice.name in small else st.sampled_from(choice.allowed)
            assert allowed is not None
            given[choice.name] = draw(allowed)
    try:
        return rules_of(game, given)
    except InvalidOption:
        return rules_of(game)


@settings(deadline=None)
@given(any_rules())
def test_examples_are_positions_of_the_game(rules: Ruleset) -> None:
    found = examples_of(rules)
    if found.throw is not None:
        check_example(rules, found.throw)
        assert found.throw.moves
        assert found.throw.board == rules.start()
    if found.reveal is not None:
        assert found.throw is not None
        assert found.reveal in found.throw.moves
        assert revealed_tiles(found.throw.board, found.reveal)
    if found.lost is not None:
        check_example(rules, found.lost)
        assert not found.lost.moves
        assert rules.meets(found.lost.throw), "it must be the tiles that do not fit"
    if found.fewer is not None:
        assert min(rules.dice_allowed(found.fewer)) < rules.options.dice


def test_where_one_die_is_a_must_from_the_start_the_example_is_a_throw_of_one() -> None:
    throw = examples_of(rules_of("pub", {"tiles": 5, "one_die": "high_covered", "one_die_forced": True})).throw

    assert throw is not None
    assert len(throw.throw.dice) == 1


@pytest.mark.parametrize("ends", ["turn", "round"])
def test_a_seven_that_ends_the_turn_is_no_example_of_tiles_that_do_not_fit(ends: str) -> None:
    for tiles in range(1, 13):
        lost = examples_of(rules_of("unlucky-7", {"tiles": tiles, "on_seven": ends})).lost
        assert lost is None or lost.throw.total != 7


def test_the_usual_options_of_a_game_are_not_in_its_address() -> None:
    assert [rules_url(game, rules_of(game).chosen) for game in GAMES] == [f"/rules/{game}" for game in GAMES]
    wide = {"rows": 1, "columns": 18}
    assert "dice" not in rules_url("two-level", rules_of("two-level", wide).chosen)
    assert "dice=2" in rules_url("two-level", rules_of("two-level", {**wide, "dice": 2}).chosen)


@given(any_rules())
def test_the_address_of_rules_leads_to_them(rules: Ruleset) -> None:
    path, _, query = rules_url(rules.preset.name, rules.chosen).partition("?")
    given = dict(each.split("=") for each in query.split("&")) if query else {}
    assert path == f"/rules/{rules.preset.name}"
    again = rules_of(rules.preset.name, given)
    assert (again, again.chosen) == (rules, rules.chosen)


@together("game", GAMES)
def test_every_game_has_an_example_and_its_page_is_whole(game: str) -> None:
    view = rules_view(rules_of(game), "en")
    page = Templates(WORDS).render("rulebook/rules.html", rules=view, snapshot=None)
    assert {"shut", "end"} <= set(view.figures)
    assert page.count('class="strip"') == sum(map(len, view.figures.values()))
    for chapter in view.chapters:
        assert f'id="{chapter.name}"' in page


def test_the_documents_own_examples_are_told() -> None:
    shut = rules_view(rules_of("pub"), "en").figures["shut"][0]
    assert shut.caption == "Thrown: 5 and 3. You may shut 8; 1 and 7; 2 and 6; 3 and 5; 1, 2 and 5; 1, 3 and 4."
    [_, revealed] = rules_view(rules_of("two-level"), "en").figures["shut"]
    assert revealed.caption == "8 went down: the 2 behind came to light."


class Links(HTMLParser):
    """Where a page leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.append(dict(attrs)["href"] or "")


async def test_all_games_lead_to_their_rules_and_options_stand_in_the_address(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        links = Links((await api.away.get("/rules")).text).found
        pages = {game: await api.away.get(f"/rules/{game}") for game in GAMES}
        staked = await api.away.get("/rules/pub?stake=2&double_stake=on_top")
        unknown = ("/rules/chess", "/rules/pub?stake=-1", "/rules/pub?colour=red")
        wrong = [await api.away.get(path, headers={"accept": "text/html"}) for path in unknown]
    assert {f"/rules/{game}" for game in GAMES} <= set(links)
    assert {page.status_code for page in pages.values()} == {200}
    assert "Everybody pays 2 coins into the pool" in staked.text
    assert "all others pay 2 more stakes" in staked.text
    for answer in wrong:
        assert answer.status_code == 404
        assert "There are no such rules." in answer.text
