"""The games over the API, as the terminal lists them."""

from pathlib import Path

from controller.box.compatibility import EVERY_GAME
from tests.support.api import open_api


async def test_every_game_is_listed_with_its_options_and_the_box_it_needs(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        listed = (await api.away.get("/api/games")).json()
        fleet = (await api.away.get("/api/games/fleet")).json()
        missing = await api.away.get("/api/games/chess")

    assert [each["game"] for each in listed] == list(EVERY_GAME)
    boxes = {each["game"]: each["box"] for each in listed}
    assert (boxes["pub"], boxes["the-300"]) == ("two-level-9", "the-300")
    pub = next(each for each in listed if each["game"] == "pub")
    assert pub["options"]["tiles"] == {"default": 9, "allowed": list(range(1, 13)), "meaning": "tiles in the row"}
    assert fleet["options"]["timer"]["default"] == 0
    assert (missing.status_code, missing.json()["code"]) == (404, "C-380")
