"""A guided session at this terminal: what it says is printed, what is typed answers it."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import RenderableType
from rich.progress import Progress

from controller.calibrate.conversation import CANCELLED, NOTHING_CHANGED, Answer, Cancelled, Result, Session
from controller.game import JobQuestion
from controller.process import Exit, cancel_on_signal, print_json, print_part, say, words

_QUIT = ("q", "quit")
_YES, _NO = ("y", "yes"), ("n", "no")
_LEAVE_IT = "End here, with nothing saved? y or n."


class TypedInput:
    """Lines, or keys, that somebody types beside the work of a session; q cancels it at any time, if a y follows.

    They are read as they come, so that q is heard while a machine works and nobody waits for an answer. A slip of the
    finger must not cost an hour's work: q asks first. With `waits`, the end of the input cancels too, because no answer
    can come any more; without, nobody needs to be there.

    Lifetime: an async context manager around the work. Concurrency: one event loop.
    """

    def __init__(self, pieces: AsyncIterator[str], *, waits: bool) -> None:
        self._pieces = pieces
        self._waits = waits
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None
        self._leaving = False  # q was typed, and whether it was meant is not known yet
        self._quits = False
        self._ended = False

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading

    def check(self) -> None:
        """Leave what was typed for the questions to come; raise `Cancelled` after q and y, or if nothing can come."""
        nobody_answers = self._waits and self._ended and self._typed.qsize() == 1
        if self._quits or nobody_answers:
            raise Cancelled

    def poll(self) -> str | None:
        """Take the next line or key, None if there is none yet. Raises `Cancelled`."""
        return self._check_quit(self._typed.get_nowait()) if not self._typed.empty() else None

    async def wait(self) -> str:
        """Wait for the next line or key. Raises `Cancelled`."""
        while True:
            piece = self._check_quit(await self._typed.get())
            if piece is not None:
                return piece

    async def wait_for_enter(self) -> None:
        """Wait for Enter, with nothing typed before it: a no starts no motor. Raises `Cancelled`."""
        while await self.wait():
            say("Press Enter alone to go on; q and Enter ends.")

    async def confirm(self, question: str) -> bool:
        """Ask until the answer is yes or no. Raises `Cancelled`.

        At a terminal only what is typed after the question answers it: a slip before it must save nothing. A script has
        its answers ready.
        """
        if _is_at_terminal():
            self._forget()
        while True:
            say(question)
            answer = (await self.wait()).lower()
            if answer in _YES + _NO:
                return answer in _YES

    def _forget(self) -> None:
        """Let go of what was typed and not taken yet, but for the end of the input, and for q."""
        pieces = [self._typed.get_nowait() for _ in range(self._typed.qsize())]
        for piece in pieces:
            if piece is None or (self._quits and piece == _QUIT[0]):
                self._typed.put_nowait(piece)

    async def _read(self) -> None:
        async for piece in self._pieces:
            self._hear(piece.strip())
        if self._leaving:
            self._quit()  # who typed q, and closed the input, has meant it
        self._typed.put_nowait(None)
        self._ended = True

    def _hear(self, piece: str) -> None:
        """Take what was typed; after q it is the answer to whether that was meant."""
        if not self._leaving:
            self._leaving = piece.lower() in _QUIT
            if not self._leaving:
                self._typed.put_nowait(piece)
        elif piece.lower() in _YES:
            self._quit()
        elif piece.lower() in _NO:
            self._leaving = False
            say("It goes on.")
        if self._leaving:
            say(_LEAVE_IT)

    def _quit(self) -> None:
        self._quits, self._leaving = True, False
        self._typed.put_nowait(_QUIT[0])

    def _check_quit(self, piece: str | None) -> str | None:
        """Return `piece`; raise `Cancelled` if q was meant, or if it is the end of an input that is waited for."""
        ends = self._waits if piece is None else piece == _QUIT[0]
        if ends:
            raise Cancelled
        return piece


def _is_at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


class Terminal(TypedInput):
    """The conversation of a session with the person at this terminal.

    as_json: a program reads the standard output; the person still reads the words. bar: the name of a bar below the
    lines, where somebody looks at a terminal; empty: there is none.
    """

    def __init__(self, pieces: AsyncIterator[str], *, waits: bool, as_json: bool = False, bar: str = "") -> None:
        super().__init__(pieces, waits=waits)
        self._as_json = as_json
        self._bars = Progress(console=words, transient=True, disable=not (bar and words.is_terminal))
        self._bar = self._bars.add_task(bar, total=1.0)

    async def __aenter__(self) -> Self:
        self._bars.start()
        return await super().__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        self._bars.stop()

    def say(self, line: str, style: str = "") -> None:
        """Print a line on standard error."""
        say(line, style)

    def show(self, result: RenderableType) -> None:
        """Print a part of the result on standard output, unless a program is to have it."""
        if not self._as_json:
            # Standard output may be the same terminal: the bar makes room for it.
            self._bars.stop()
            print_part(result)
            self._bars.start()

    def advance(self, done: float) -> None:
        """Show how far it is, where there is a bar."""
        self._bars.update(self._bar, completed=done)

    def propose(self, draft: Mapping[str, Any]) -> None:
        """Do nothing: what is shown is the draft."""

    def is_taken(self, offer: JobQuestion) -> bool:
        """True if Enter was pressed. Raises `Cancelled`."""
        return self.poll() == ""

    async def ask(self, question: JobQuestion) -> Answer:
        """Wait for what is typed. Where Enter alone goes on, what is to be done was said before. Raises `Cancelled`."""
        if "some" in question.answers:
            say(question.say)
            return Answer("some", await self._wait_for_names(question.names))
        if "yes" in question.answers:
            return Answer("yes" if await self.confirm(f"{question.say} y or n, then Enter.") else "no")
        await self.wait_for_enter()
        return Answer("go_on")

    async def _wait_for_names(self, known: Sequence[str]) -> tuple[str, ...]:
        """Wait for some of these names: a slip must not be taken for none of them. Raises `Cancelled`."""
        while True:
            named = tuple((await self.wait()).replace(",", " ").split())
            strange = [name for name in named if name not in known]
            if not strange:
                return named
            say(f"{', '.join(strange)} is none of them: name some of {', '.join(known)}, or press Enter for none.")

    def tell_saved(self, file: Path | None) -> None:
        """Say where the result was saved, or that nothing was."""
        say(f"Saved in {file}." if file else NOTHING_CHANGED)

    def give(self, answer: Mapping[str, Any]) -> None:
        """Give a program its answer."""
        if self._as_json:
            print_json(answer)


async def run_session(session: Session, terminal: Terminal) -> Result:
    """Do a session with whoever sits at this terminal.

    Ctrl-C, SIGTERM and a closed terminal end it without its result, as q does.
    """
    try:
        async with cancel_on_signal(), terminal:
            result = await session.run(terminal)
            terminal.give(result.answer)
            return result
        raise Cancelled
    except Cancelled:
        say(CANCELLED)
    terminal.give(session.unsaved)
    return Result(Exit.NO, session.unsaved)


async def run_at_terminal(
    session: Session, lines: AsyncIterator[str], *, waits: bool, as_json: bool, bar: str = ""
) -> Result:
    """As `run_session`, with the lines that are typed; for `waits` see `TypedInput`, for `bar` `Terminal`."""
    return await run_session(session, Terminal(lines, waits=waits, as_json=as_json, bar=bar))


async def no_lines() -> AsyncIterator[str]:
    """The lines of nobody: for a session that asks nothing."""
    for line in tuple[str, ...]():
        yield line
