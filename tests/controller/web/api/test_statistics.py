"""What many games say, over the API: players, records, tiles and dice."""

from pathlib import Path

from controller.journal.replay import games_of
from controller.journal.store import Journal
from controller.opponents.statistics import statistics_of
from hardware.box import load_box
from tests.support.api import open_api


async def test_players_tiles_and_dice_are_counted_as_at_the_terminal(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        everybody = (await api.away.get("/api/statistics")).json()
        ann = (await api.away.get("/api/statistics", params={"player": "Ann"})).json()
        tiles = (await api.away.get("/api/statistics/tiles")).json()
        [dice] = (await api.away.get("/api/statistics/dice")).json()
        with Journal(api.home.journal, read_only=True) as journal:
            truth = statistics_of(games_of(journal)).players

    assert [each["mean"] for each in everybody["players"]] == [each.mean for each in truth]
    assert ann["players"] == [each for each in everybody["players"] if each["player"] == "Ann"]
    assert {each["tile"] for each in tiles} == set(map(str, load_box("two-level-9").tile_ids))
    assert sum(dice["counts"]) == dice["dice"]
    assert dice["fair"]


async def test_the_records_are_of_those_who_played_alone(tmp_path: Path) -> None:
    async with open_api(tmp_path) as api:
        assert (await api.away.get("/api/statistics/records")).json() == {"count": 0, "records": []}
