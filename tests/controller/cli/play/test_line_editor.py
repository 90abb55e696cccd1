"""The lines of a seat: edited at a terminal, as they come from a pipe."""

import asyncio
import io
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.application.current import AppSession
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from controller.cli.play.line_editor import edited_lines, seat_lines

UP, LEFT, TAB, BACK, CTRL_C, CTRL_D = "\x1b[A", "\x1b[D", "\t", "\x7f", "\x03", "\x04"


def known(line: str) -> Sequence[str]:
    return [each for each in ("f7 b2", "f8", "give up") if each.startswith(line)]


class Hands:
    """Somebody at a terminal."""

    def __init__(self, keys: PipeInput, session: AppSession) -> None:
        self.keys, self.session = keys, session
        self.lines = edited_lines(known)

    async def type(self, *pieces: str) -> str | None:
        """The line that comes of these keys: after `text|` the next ones, once that is what stands there."""
        line = asyncio.ensure_future(self.next())
        for piece in pieces:
            if piece.endswith("|"):
                await self.stands(piece[:-1])
            else:
                self.keys.send_text(piece)
        return await line

    async def stands(self, text: str) -> None:
        """Let everything else work until that is what stands there."""
        for _ in range(10_000):
            await asyncio.sleep(0)
            if self.session.app is not None and self.session.app.current_buffer.text == text:
                return
        raise AssertionError(f"{text!r} never stood there")

    async def next(self) -> str | None:
        return await anext(self.lines, None)


@pytest.fixture
def hands() -> Any:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()) as session:
        yield Hands(keys, session)


async def test_a_line_is_edited_completed_and_called_back(hands: Hands) -> None:
    async with asyncio.timeout(60):
        assert await hands.type("d 54", LEFT, BACK, "6\r") == "d 64"
        assert await hands.type("f7", TAB, "f7 b2|", "\r") == "f7 b2"
        assert await hands.type("\r") == ""


@pytest.mark.parametrize("end", [CTRL_C, CTRL_D])
async def test_the_keys_that_end_a_program_end_the_lines(hands: Hands, end: str) -> None:
    async with asyncio.timeout(60):
        assert await hands.type(end) is None


async def test_where_there_is_no_terminal_lines_are_taken_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    async def pipe() -> AsyncIterator[str]:
        for line in ("d 5 3", "\tf7", "q"):
            yield line

    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("controller.cli.play.line_editor.typed_lines", pipe)

    assert [line async for line in seat_lines(known)] == ["d 5 3", "\tf7", "q"]
    monkeypatch.setattr("sys.stdin", None)
    assert [line async for line in seat_lines(known)] == []
