"""Odds and moves over the API: the same answers as at the terminal, within bounds, and for players."""

from pathlib import Path
from typing import Any

import pytest

from controller.game.core.events import GameStarted
from controller.game.core.players import Player
from controller.game.table.questions import FleetQuestion
from controller.game.table.wire import EVENT
from controller.journal.migrations import read_event
from controller.opponents.hints import FleetBook
from tests.support.api import open_api
from tests.support.tables import until

SEAT_1, SEAT_2 = pytest.approx(0.5014897762), pytest.approx(0.4985102238)
PUB = {"game": "pub", "board": "1 2 3 4 5 6 7 8 9"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (PUB, {"aim": "score", "value": pytest.approx(11.0092085932), "dice": 2}),
        ({**PUB, "throw": [5, 3]}, {"aim": "score", "value": pytest.approx(9.0406746918), "best": [["front-8"]]}),
        (
            {"game": "pub", "aim": "win"},
            {"aim": "win", "players": 2, "seats": pytest.approx([0.501490, 0.498510], abs=1e-6)},
        ),
    ],
)
async def test_the_answers_are_those_of_the_terminal(
    tmp_path: Path, question: dict[str, Any], answer: dict[str, Any]
) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert (await api.here.post("/api/odds", json=question)).json() == answer


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"game": "the-300"}, "take long"),
        ({"game": "two-level", "set": {"rows": 3}, "curve": True}, "take long"),
        ({"game": "two-level", "set": {"rows": 3}, "aim": "win"}, "take long"),
        ({"game": "pub", "set": {"tiles": 12, "score": "digits"}, "aim": "win"}, "take long"),
        ({"game": "chess"}, "the games are two-level"),
        ({"game": "pub", "throw": [7, 1]}, "7"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_what_would_take_long_or_makes_no_sense_is_refused_in_a_line(
    tmp_path: Path, question: dict[str, Any], says: str
) -> None:
    async with open_api(tmp_path, played=False) as api:
        refused = await api.here.post("/api/odds", json=question)
    assert refused.status_code == 422
    assert says in refused.json()["error"]


async def test_the_odds_of_this_moment_are_those_of_its_board(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        early = await api.here.get("/api/odds")
        await api.here.post("/api/commands", json={"do": "start", "players": [{"name": "Ann"}], "game": "pub"})
        await until(api.referee, "awaiting_throw")
        before = await api.here.get("/api/odds")
        await api.here.post("/api/commands", json={"do": "dice", "dice": [5, 3]})
        await until(api.referee, "choosing")
        after = await api.here.get("/api/odds")
    assert (early.status_code, early.json()["code"]) == (409, "C-301")
    assert before.json() == {"aim": "score", "value": pytest.approx(11.0092085932), "dice": 2}
    assert after.json()["best"] == [["front-8"]]


async def test_the_odds_of_a_race_are_told_as_those_of_tiles_are(tmp_path: Path) -> None:
    asked = {"game": "fleet", "combination": "all-twos"}
    async with open_api(tmp_path, played=False) as api:
        before = await api.here.post("/api/odds", json=asked)
        after = await api.here.post("/api/odds", json={**asked, "throw": [2, 2, 3, 5, 6, "boat"]})
        never = await api.here.post(
            "/api/odds", json={"game": "fleet", "combination": "straight", "set": {"straight": "impossible"}}
        )
        wrong = await api.here.post("/api/odds", json={**asked, "board": "1 2 3"})
        unknown = await api.here.post("/api/odds", json={"game": "fleet", "combination": "full-house"})
    book = FleetBook()
    assert before.json() == book.answer(FleetQuestion(game="fleet", combination="all-twos"))
    assert after.json()["best"] == [[2, 2, "joker"]]
    assert "value" not in never.json()
    assert [each.status_code for each in (wrong, unknown)] == [422, 422]
    assert "board" in wrong.json()["error"]


async def test_nobody_is_told_odds_while_a_race_is_on_in_which_that_was_agreed(tmp_path: Path) -> None:
    players = [{"name": "Ann"}, {"name": "Ben"}]
    asked = {"game": "fleet", "combination": "all-twos"}
    async with open_api(tmp_path, played=False) as api:
        start = {"do": "start", "game": "fleet", "players": players, "options": {"hints": "never"}}
        assert (await api.here.post("/api/commands", json=start)).is_success
        on = await api.here.post("/api/odds", json=asked)
        await api.here.post("/api/commands", json={"do": "abandon"})
        over = await api.here.post("/api/odds", json=asked)
    assert (on.status_code, over.status_code) == (409, 200)


async def test_moves_of_any_position_are_told(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        found = await api.here.post("/api/moves", json={**PUB, "throw": "1,2"})
        over = await api.here.post("/api/moves", json={**PUB, "board": ". . . . . . . . 9", "throw": "1,2"})
    assert found.json() == {"moves": [["front-3"], ["front-1", "front-2"]], "turn_over": False}
    assert over.json() == {"moves": [], "turn_over": True}


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({}, True),
        ({"match": "points"}, False),
        ({"hints": "never"}, False),
        ({"match": "points", "hints": "always"}, True),
    ],
)
async def test_nobody_is_told_odds_in_a_game_in_which_that_was_agreed(
    tmp_path: Path, options: dict[str, str], allowed: bool
) -> None:
    start = {"do": "start", "game": "pub", "players": [{"name": "Ann"}], "options": {"first": "chosen", **options}}
    async with open_api(tmp_path, played=False) as api:
        await api.here.post("/api/commands", json=start)
        snapshot = await until(api.referee, "awaiting_throw")
        told = [await api.here.get("/api/odds"), await api.here.post("/api/odds", json=PUB)]
        await api.here.post("/api/commands", json={"do": "abandon"})
        afterwards = await api.here.post("/api/odds", json=PUB)

    assert snapshot.hints is allowed
    assert [answer.status_code for answer in told] == ([200, 200] if allowed else [409, 409])
    assert afterwards.status_code == 200


def test_a_game_of_before_there_was_that_agreement_tells_the_odds() -> None:
    started = GameStarted("pub", {"match": "points", "undo": "nobody"}, (Player("Ann"),))
    read = read_event(EVENT.dump_json(started).decode())

    assert isinstance(read, GameStarted)
    assert read.options["hints"] == "always"
