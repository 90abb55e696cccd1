"""The wall between games: the last one that was played to its end, what the house leaves to beat, and who won."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.game.core.commands import Abandon, ConfirmTiles, StartGame
from controller.game.core.players import Player
from controller.game.shutbox.state import Game
from controller.messages.words import words_in
from controller.web.pages.lookback.lists import PlayedGame
from controller.web.pages.wall import last_game
from tests.support.api import open_api
from tests.support.stories import play, score

HOUSE = Player("House", house=True, strength="steady")


def played(game: str, *points: int, **options: object) -> Game:
    """Ann and the house, with these points."""
    start = StartGame((Player("Ann"), HOUSE), game, {"first": "chosen", **options})
    return score(play(None, start, ConfirmTiles()), *points)


def challenge_of(games: Sequence[Game | None], language: str = "en") -> str | None:
    """What there is to beat after these games, the last one first."""
    known = [PlayedGame(number, "2026-01-02T18:00:00+00:00", game) for number, game in enumerate(games, 1)]
    found = last_game(known, words_in("de" if language == "de" else "en"))
    return None if found is None else found.challenge


@pytest.mark.parametrize(
    ("games", "told"),
    [
        ([played("pub", 5, 9)], "The house's best here is 9 points. Who does better?"),
        (
            [played("pub", 5, 9), played("golf", 5, 0), played("pub", 8, 1)],
            "The house's best here is 1 point. Who does better?",
        ),
        # What was given up, goes on or cannot be read is not the last one.
        (
            [None, play(played("golf", 5), Abandon()), played("golf", 5), played("pub", 5, 9)],
            "The house's best here is 9 points. Who does better?",
        ),
        (
            [
                score(
                    play(None, StartGame((Player("Ann"), Player("Bob")), "pub", {"first": "chosen"}), ConfirmTiles()),
                    5,
                    9,
                )
            ],
            "",
        ),
        ([], None),
        ([play(played("golf", 5), Abandon())], None),
    ],
)
def test_the_house_s_best_at_the_last_game_is_there_to_beat(games: list[Game | None], told: str | None) -> None:
    assert challenge_of(games) == told


def test_points_of_several_rounds_are_not_compared_with_those_of_one() -> None:
    several = played("pub", 9, 5, match="points", rounds=1)
    assert several.is_over
    assert challenge_of([played("pub", 5, 9), several]) == "The house's best here is 9 points. Who does better?"


async def test_before_the_first_game_the_wall_tells_the_last_one_and_how_to_play_along(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        phone, seated = (await api.away.get("/wall")).text, (await api.here.get("/wall")).text

    assert "data-idle" in phone
    assert "Last time: " in phone
    assert "Play along: open " in phone
    assert "Play along: open " not in seated


async def test_where_nothing_was_played_the_wall_is_shown_all_the_same(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        wall = await api.away.get("/wall")

    assert (wall.status_code, "Last time" in wall.text) == (200, False)
