"""Questions beside the game: one at a time, so many waiting, and one asked again soon is not worked out again."""

import asyncio
import threading
from pathlib import Path

import pytest

from controller.errors import TooBusy
from controller.settings import Home
from controller.web.library import Library


async def test_only_so_many_wait(tmp_path: Path) -> None:
    library, go = Library(Home(tmp_path, tmp_path)), threading.Event()

    def wait(_home: Home, number: int) -> int:
        go.wait()
        return number

    waiting = [asyncio.create_task(library.ask(wait, number)) for number in range(8)]
    await asyncio.sleep(0)
    with pytest.raises(TooBusy):
        await library.ask(wait, 9)
    go.set()
    assert await asyncio.gather(*waiting) == list(range(8))
    assert await library.ask(wait, 9) == 9


async def test_an_answer_is_given_again_for_some_seconds(tmp_path: Path) -> None:
    library, asked = Library(Home(tmp_path, tmp_path)), []

    def count(_home: Home, word: str) -> str:
        asked.append(word)
        return word

    for word in ("a", "a", "b"):
        assert await library.recall(count, word) == word
    await asyncio.sleep(6)
    assert await library.recall(count, "a") == "a"
    assert asked == ["a", "b", "a"]
