"""The page that begins a lesson, and what it is told by the table."""

from pathlib import Path

from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import TakeThrow
from controller.referee.lending import SimulatedPowerCut
from tests.support.api import open_api
from tests.support.tables import until


async def test_it_begins_where_no_game_is_on(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert 'data-learn="two-level" data-house="Lesson coach"' in (await api.here.get("/learn")).text
        await api.referee.ask(StartGame((Player("Ann"),)))
        page = (await api.here.get("/learn")).text
        assert "A game is on" in page
        assert "data-learn" not in page


async def test_it_knows_the_name_of_who_has_a_seat_and_says_that_the_others_watch(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        alone = (await api.here.get("/learn")).text
        tokens = [(await api.referee.seating.sit((name,), "page", "player")).token for name in ("Ann", "Bob")]
        page = (await api.away.get("/learn", headers={"Authorization": f"Bearer {tokens[0]}"})).text

    assert [('value="Ann"' in each, "The others at the table watch" in each) for each in (alone, page)] == [
        (False, False),
        (True, True),
    ]


async def test_while_somebody_has_the_box_it_says_so_and_tells_of_no_game(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        await api.referee.lend(SimulatedPowerCut(None))
        page = (await api.here.get("/learn")).text
        assert "The power is out" in page
        assert "A game is on" not in page


async def test_who_has_no_seat_takes_one_first(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        page = (await api.away.get("/learn")).text
        assert 'href="/join"' in page
        assert "data-learn" not in page


async def test_each_moment_tells_what_is_new_and_nothing_else(tmp_path: Path) -> None:
    async with open_api(tmp_path, played=False) as api:
        assert not (await api.here.get("/lesson")).text.strip()
        players = (Player("Mia"), Player("House", house=True))
        await api.referee.ask(StartGame(players, options={"first": "chosen"}))
        await until(api.referee, "awaiting_throw")
        assert 'data-ideas="throw"' in (await api.here.get("/lesson")).text
        assert not (await api.here.get("/lesson", params={"said": "throw"})).text.strip()
        await api.referee.ask(TakeThrow((5, 3), "typed"))
        told = (await api.here.get("/lesson", params={"said": "throw"})).text
        assert 'data-ideas="sum"' in told
        assert "You threw 8." in told
        assert "data-leave-lesson" in told
        assert (await api.here.get("/lesson", params={"said": "x" * 1000})).status_code == 422
