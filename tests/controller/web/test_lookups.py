"""Questions beside the game: one at a time, so many waiting, and one asked again soon is not worked out again."""

import asyncio
import threading
from pathlib import Path

import pytest

from controller.errors import TooBusy
from controller.process.clock import JumpingLoop
from controller.settings import Home
from controller.web.lookups import Lookups
from tests.support.api import open_api


async def test_only_so_many_wait(tmp_path: Path) -> None:
    lookups, go = Lookups(Home(tmp_path, tmp_path)), threading.Event()

    def wait(_home: Home, number: int) -> int:
        go.wait()
        return number

    waiting = [asyncio.create_task(lookups.ask(wait, number)) for number in range(8)]
    await asyncio.sleep(0)
    with pytest.raises(TooBusy):
        await lookups.ask(wait, 9)
    go.set()
    assert await asyncio.gather(*waiting) == list(range(8))
    assert await lookups.ask(wait, 9) == 9


async def test_an_answer_is_given_again_for_some_seconds(tmp_path: Path) -> None:
    lookups, asked = Lookups(Home(tmp_path, tmp_path)), []

    def count(_home: Home, word: str) -> str:
        asked.append(word)
        return word

    for word in ("a", "a", "b"):
        assert await lookups.recall(count, word) == word
    await asyncio.sleep(6)
    assert await lookups.recall(count, "a") == "a"
    assert asked == ["a", "b", "a"]


async def test_what_took_long_is_given_again_for_longer(tmp_path: Path) -> None:
    lookups, loop, asked = Lookups(Home(tmp_path, tmp_path)), asyncio.get_running_loop(), []
    assert isinstance(loop, JumpingLoop)

    def work(_home: Home) -> int:
        asked.append(loop.time())
        loop.hold_up(2.0)
        return len(asked)

    assert await lookups.recall(work) == 1
    await asyncio.sleep(39)
    assert await lookups.recall(work) == 1
    await asyncio.sleep(2)
    assert await lookups.recall(work) == 2


async def test_who_has_to_wait_is_told_when_to_ask_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.web.lookups._MOST_WAITING", 0)
    async with open_api(tmp_path, played=False) as api:
        refused = await api.away.get("/api/games")
    assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (503, "C-381", "2")


async def test_all_who_ask_the_same_have_one_place_in_the_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.web.lookups._MOST_WAITING", 1)
    lookups, go, asked = Lookups(Home(tmp_path, tmp_path)), threading.Event(), []

    def work(_home: Home) -> int:
        asked.append(1)
        go.wait()
        return len(asked)

    assert await lookups.recall_within(0.0, work) is None
    waiting = asyncio.create_task(lookups.recall(work))
    given_up = asyncio.create_task(lookups.recall(work))
    for _ in range(5):  # until both have asked
        await asyncio.sleep(0)
    given_up.cancel()
    go.set()
    assert await waiting == 1
    assert await lookups.recall_within(1.0, work) == 1
    assert asked == [1]


async def test_a_question_that_fails_fails_for_all_who_wait_and_is_asked_anew(tmp_path: Path) -> None:
    lookups, asked = Lookups(Home(tmp_path, tmp_path)), []

    def fail(_home: Home) -> int:
        asked.append(1)
        raise TooBusy("not now")

    for _ in range(2):
        both = await asyncio.gather(lookups.recall(fail), lookups.recall(fail), return_exceptions=True)
        assert all(isinstance(each, TooBusy) for each in both)
    assert len(asked) == 2
