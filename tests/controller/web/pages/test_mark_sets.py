"""What may be chosen for the tiles of a simulated box: it fits every game with every number of tiles."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.box.compatibility import GameEntry, list_games
from controller.game.core.events import GameStarted
from controller.game.core.players import Player
from controller.messages.words import words_in
from controller.rules.options import Value
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import NO_MARKS, Marks
from controller.web.pages.scene import TilePictures
from controller.web.pages.terms import MARK_KINDS, MarkKind, MarkSet, mark_sets, marks_for, signs_of, terms_of
from tests.support.api import ApiRig, open_api

ENGLISH, NONE = words_in("en"), TilePictures(None)
NUMBERED = [entry for entry in list_games() if entry.game in GAMES and entry.game != "dominoes"]
SIZES = ("tiles", "columns", "rows")
FITS_ANY = {"score": "showing"}  # some scores need two rows


@st.composite
def games(draw: st.DrawFn) -> tuple[str, dict[str, Value]]:
    """A game with any number of tiles that it may have."""
    entry: GameEntry = draw(st.sampled_from(NUMBERED))
    sizes = {name: draw(st.sampled_from(entry.options[name].allowed)) for name in SIZES if name in entry.options}
    return entry.game, {**sizes, **(FITS_ANY if "rows" in sizes else {})}


@given(games(), st.sampled_from(MARK_KINDS))
def test_every_set_fits_every_game_and_changes_nothing_that_counts(
    game: tuple[str, dict[str, Value]], kind: MarkKind
) -> None:
    plain = rules_of(*game)
    marked = rules_of(*game, marks_for(plain.layout, signs_of(kind, NONE)))

    signs = signs_of(kind, NONE)
    for name, tile in marked.layout.by_name.items():
        number = plain.layout.by_name[name].value
        assert tile.value == number
        assert tile.mark == (signs[number - 1] if number <= len(signs) else str(number))


def test_pictures_are_a_set_as_soon_as_there_are_some(tmp_path: Path) -> None:
    pictures = TilePictures(tmp_path)
    assert kinds(pictures) == ["numbers", "letters", "colours"]
    for name in ("moon", "sun", "9", "no good"):
        (tmp_path / f"{name}.png").write_bytes(b"-")

    assert kinds(pictures) == ["numbers", "letters", "colours", "pictures"]
    layout = rules_of("pub").layout
    assert marks_for(layout, signs_of("pictures", pictures)).tiles == {"front-1": "moon", "front-2": "sun"}


def kinds(pictures: TilePictures) -> list[str]:
    return [each.kind for each in offered("pub", None, pictures)]


def offered(game: str, last: GameStarted | None, pictures: TilePictures = NONE) -> tuple[MarkSet, ...]:
    return mark_sets(last, rules_of(game).layout, pictures, ENGLISH)


@pytest.mark.parametrize("kind", ["numbers", "letters", "colours"])
def test_what_stood_on_the_tiles_last_time_is_chosen(kind: MarkKind) -> None:
    marks = marks_for(rules_of("pub", {"tiles": 12}).layout, signs_of(kind, NONE))
    last = GameStarted("pub", {"tiles": 12}, (Player("Ann"),), marks)
    assert [each.kind for each in offered("pub", last) if each.chosen] == [kind]


def test_marks_of_ones_own_are_none_of_the_sets() -> None:
    last = GameStarted("pub", {}, (Player("Ann"),), Marks({"front-1": "moon"}, {"moon": 1}))
    assert [each.kind for each in offered("pub", last) if each.chosen] == ["numbers"]


def test_dominoes_and_real_boxes_offer_nothing() -> None:
    assert offered("dominoes", None) == ()
    assert marks_for(rules_of("dominoes").layout, signs_of("letters", NONE)) == NO_MARKS
    assert terms_of(NUMBERED[0], None, ENGLISH).marks == ()


async def test_the_page_has_the_marks_made_for_the_game_and_its_options(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        page = (await api.away.get("/start/pub")).text
        assert 'value="letters"' in page
        assert (await marks_of(api, "letters", tiles="10"))["front-10"] == "J"
        assert (await marks_of(api, "colours"))["front-1"] == "red"
        assert await marks_of(api, "numbers") == {}
        assert (await api.away.get("/start/pub/marks/runes")).status_code == 422
        assert (await api.away.get("/start/pub/marks/letters?tiles=99")).status_code == 422


async def marks_of(api: ApiRig, kind: MarkKind, **options: str) -> dict[str, str]:
    answer = await api.away.get(f"/start/pub/marks/{kind}", params=options)
    tiles: dict[str, str] = answer.raise_for_status().json()["tiles"]
    return tiles


def test_chips_of_a_race_bear_no_marks(tmp_path: Path) -> None:
    fleet = next(entry for entry in list_games() if entry.game == "fleet")
    assert terms_of(fleet, None, ENGLISH, TilePictures(tmp_path)).marks == ()
