"""Questions beside the game: one at a time, so many waiting, and one asked again soon is not worked out again."""

import asyncio
import threading
from pathlib import Path

import pytest

from controller.errors import TooBusy
from controller.runtime.clock import JumpingLoop
from controller.runtime.home import Home
from controller.web.lookups import Lookups, Requester
from tests.support.api import open_api

ANN, BEN = Requester("Ann"), Requester("Ben")


class Gate:
    """Holds up whoever asks, and keeps in which order they had their turn."""

    def __init__(self) -> None:
        self.turns: list[str] = []
        self._open = threading.Event()

    def wait(self, _home: Home, name: str) -> str:
        self._open.wait()
        self.turns.append(name)
        return name

    def open(self) -> None:
        self._open.set()


async def begin(lookups: Lookups, gate: Gate, *names: str) -> list["asyncio.Task[str]"]:
    """Ask one question after another; all wait when this returns."""
    asked = [asyncio.create_task(lookups.ask(gate.wait, name)) for name in names]
    await asyncio.sleep(0)
    return asked


async def refuse(lookups: Lookups, gate: Gate) -> None:
    """One more question is refused at once."""
    [asked] = await begin(lookups, gate, "one more")
    assert isinstance(asked.exception(), TooBusy)


async def test_only_so_many_wait(tmp_path: Path) -> None:
    lookups, gate = Lookups(Home(tmp_path, tmp_path)), Gate()
    waiting = await begin(lookups.for_requester(ANN), gate, *"1234")
    waiting += await begin(lookups.for_requester(BEN), gate, *"5678")
    await refuse(lookups.for_requester(Requester("Cid")), gate)
    gate.open()
    assert await asyncio.gather(*waiting) == list("12345678")
    assert await lookups.for_requester(Requester("Cid")).ask(gate.wait, "9") == "9"


async def test_nobody_takes_all_places(tmp_path: Path) -> None:
    lookups, gate = Lookups(Home(tmp_path, tmp_path)), Gate()
    waiting = await begin(lookups.for_requester(ANN), gate, *"1234")
    await refuse(lookups.for_requester(ANN), gate)
    waiting += await begin(lookups.for_requester(BEN), gate, "6")
    gate.open()
    assert await asyncio.gather(*waiting) == list("12346")


async def test_who_only_watches_keeps_nobody_out_and_lets_who_plays_go_first(tmp_path: Path) -> None:
    lookups, gate = Lookups(Home(tmp_path, tmp_path)), Gate()
    guests = [lookups.for_requester(Requester(address, is_guest=True)) for address in ("A", "B", "C")]
    waiting = await begin(guests[0], gate, "a1", "a2")
    await refuse(guests[0], gate)
    waiting += await begin(guests[1], gate, "b1", "b2")
    await refuse(guests[2], gate)
    waiting += await begin(lookups.for_requester(ANN), gate, *"1234")
    waiting += await begin(lookups.for_requester(BEN), gate, *"5678")
    gate.open()
    await asyncio.gather(*waiting)
    # One guest had his turn before anybody who plays had asked, and the next one stood in the row already.
    assert gate.turns[:1] == ["a1"]
    assert gate.turns.index("8") < gate.turns.index("b1") < gate.turns.index("b2")


async def test_who_plays_is_not_refused_with_those_who_only_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.web.lookups._MOST_GUESTS", 0)
    lookups = Lookups(Home(tmp_path, tmp_path))
    watched, played = await asyncio.gather(
        lookups.for_requester(Requester("A", is_guest=True)).recall(count_one),
        lookups.recall(count_one),
        return_exceptions=True,
    )
    assert isinstance(watched, TooBusy)
    assert played == 1


def count_one(_home: Home) -> int:
    return 1


async def test_a_place_is_left_by_who_waits_no_more(tmp_path: Path) -> None:
    lookups, gate = Lookups(Home(tmp_path, tmp_path)), Gate()
    waiting = await begin(lookups, gate, *"1234")
    for each in waiting[1:]:
        each.cancel()
    await asyncio.sleep(0)
    waiting += await begin(lookups, gate, *"567")
    gate.open()
    assert await asyncio.gather(*waiting[4:]) == list("567")


async def test_the_seat_or_the_device_says_who_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.web.lookups._MOST_GUESTS", 0)
    async with open_api(tmp_path, played=False) as api:
        seat = (await api.here.post("/api/seats", json={})).json()["token"]
        answers = [
            await api.away.get("/api/games"),
            await api.away.get("/api/games", headers={"Authorization": "Bearer nobodys"}),
            await api.away.get("/api/games", headers={"Authorization": f"Bearer {seat}"}),
            await api.here.get("/api/games"),
        ]
    assert [each.status_code for each in answers] == [503, 503, 200, 200]


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
    monkeypatch.setattr("controller.web.lookups._MOST_GUESTS", 0)
    async with open_api(tmp_path, played=False) as api:
        refused = await api.away.get("/api/games")
    assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (503, "C-381", "2")


async def test_all_who_ask_the_same_have_one_place_in_the_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.web.lookups._MOST_OF_ONE", 1)
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
