"""The games that were played, over the API: paged, move by move, and looked back on."""

import random
from pathlib import Path

from controller.game.shutbox.events import DiceThrown
from controller.game.stn.record import read_record
from controller.journal.store import Journal
from tests.support.api import open_api
from tests.support.homes import play_game


async def test_games_come_in_pages_the_last_one_first(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        with Journal(api.home.journal) as journal:
            for _ in range(3):
                play_game(journal, random.Random(3), throws=2)
            ids = journal.game_ids()
        first = (await api.away.get("/api/history", params={"limit": 2})).json()
        rest = (await api.away.get("/api/history", params={"before": first["before"]})).json()

    shown = [game["game"] for page in (first, rest) for game in page["games"]]
    assert shown == ids[::-1]
    assert (first["count"], first["before"], rest["before"]) == (len(ids), ids[-2], None)


async def test_a_game_that_fits_no_rules_does_not_hide_the_others(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        with Journal(api.home.journal) as journal:
            broken = journal.next_game_id()
            journal.append(broken, "two-level-9", journal.entries(1)[1:])
        page = (await api.away.get("/api/history")).json()
        refused = await api.away.get(f"/api/history/{broken}")
        unlucky = await api.away.get(f"/api/history/{broken}/luck")
    assert (unlucky.status_code, unlucky.json()["code"]) == (422, "J-103")
    assert (page["unreadable"], [game["game"] for game in page["games"]]) == ([broken], [1])
    assert (refused.status_code, refused.json()["code"]) == (422, "J-103")


async def test_a_game_is_told_move_by_move_and_by_its_luck(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        told = (await api.away.get("/api/history/1")).json()
        later = (await api.away.get("/api/history/1", params={"offset": told["count"] - 1})).json()
        luck = (await api.away.get("/api/history/1/luck")).json()
        none = [await api.away.get(f"/api/history/99{more}") for more in ("", "/luck")]

    assert told["game"]["players"] == luck["players"] == ["Ann", "Bob"]
    assert {row["table"] for row in told["rows"]} == {"throws", "choices", "scores"}
    assert later["rows"] == told["rows"][-1:]
    scores = {row["player"]: row["score"] for row in told["rows"] if row["table"] == "scores"}
    assert {share["name"]: share["result"] for share in luck["shares"]} == scores
    for share in luck["shares"]:
        assert abs(share["expected"] + share["luck"] + share["errors"] - share["result"]) < 1e-9
    assert [each.status_code for each in none] == [404, 404]


async def test_a_game_can_be_kept_as_text(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        told = (await api.away.get("/api/history/1")).json()
        answer = await api.away.get("/api/history/1/record")
        none = await api.away.get("/api/history/99/record")
    record = read_record(answer.text)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="shutbox-1.stn"'
    assert [player.name for player in record.game.players] == ["Ann", "Bob"]
    thrown = [row["dice"] for row in told["rows"] if row["table"] == "throws" and row["purpose"] == "turn"]
    assert [list(event.dice) for event in record.events if isinstance(event, DiceThrown)] == thrown
    assert (none.status_code, none.json()["code"]) == (404, "C-380")


async def test_where_nobody_has_played_there_is_no_history(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        api.home.journal.unlink()
        empty = await api.away.get("/api/history")
    assert (empty.status_code, empty.json()["error"]) == (404, "nobody has played a game yet")
