"""Run a guided session at this terminal: print its output, and answer it with what is typed."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rich.console import RenderableType
from rich.progress import Progress

from controller.game.core.sight import JobQuestion
from controller.jobs.dialog import CANCELLED, NOTHING_CHANGED, Answer, Cancelled, Result, Session
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import print_part, say, words
from controller.runtime.threads import cancel_on_signal

if TYPE_CHECKING:
    from vision.calibration.viewfinder import Viewfinder

_QUIT = ("q", "quit")
_YES, _NO = ("y", "yes"), ("n", "no")
_LEAVE_IT = "End here, with nothing saved? y or n."


class TypedInput:
    """Lines or keys typed during a session; q, confirmed by y, cancels it at any time.

    They are read as they come, so that q works while the machine is busy and no question is open. A slip of the finger
    must not cost an hour's work, so q asks first.

    waits: the session needs answers, so the end of the input cancels it too.

    Lifetime: an async context manager around the work. Concurrency: one event loop.
    """

    def __init__(self, pieces: AsyncIterator[str], *, waits: bool) -> None:
        self._pieces = pieces
        self._waits = waits
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None
        self._leaving = False  # q was typed but not confirmed yet
        self._quits = False
        self._ended = False

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading

    def check(self) -> None:
        """Raise `Cancelled` after q and y, or if no answer can come any more; leave typed input for later questions."""
        # Once the input has ended, its end (None) is the last piece in the queue.
        nobody_answers = self._waits and self._ended and self._typed.qsize() == 1
        if self._quits or nobody_answers:
            raise Cancelled

    def poll(self) -> str | None:
        """Return the next line or key; None if there is none yet. Raises `Cancelled`."""
        return self._check_quit(self._typed.get_nowait()) if not self._typed.empty() else None

    async def wait(self) -> str:
        """Wait for the next line or key. Raises `Cancelled`."""
        while True:
            piece = self._check_quit(await self._typed.get())
            if piece is not None:
                return piece

    async def wait_for_enter(self) -> None:
        """Wait for Enter alone, so that typing "no" starts no motor. Raises `Cancelled`."""
        while await self.wait():
            say("Press Enter alone to go on; q and Enter ends.")

    async def confirm(self, question: str) -> bool:
        """Ask until the answer is yes or no. Raises `Cancelled`.

        At a terminal only what is typed after the question counts, so that an earlier slip saves nothing. A script has
        its answers ready.
        """
        if sys.stdin is not None and sys.stdin.isatty():
            # Discard earlier input, except its end and a confirmed q.
            for piece in [self._typed.get_nowait() for _ in range(self._typed.qsize())]:
                if piece is None or (self._quits and piece == _QUIT[0]):
                    self._typed.put_nowait(piece)
        while True:
            say(question)
            answer = (await self.wait()).lower()
            if answer in _YES + _NO:
                return answer in _YES

    async def _read(self) -> None:
        """Queue the input; after a q, the next piece tells whether it was meant."""
        async for typed in self._pieces:
            piece = typed.strip()
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
        if self._leaving:
            self._quit()  # q and the end of the input mean it too
        self._typed.put_nowait(None)
        self._ended = True

    def _quit(self) -> None:
        self._quits, self._leaving = True, False
        self._typed.put_nowait(_QUIT[0])

    def _check_quit(self, piece: str | None) -> str | None:
        """Return `piece`. Raises `Cancelled` for a confirmed q, and for the end of the input if answers are needed."""
        ends = self._waits if piece is None else piece == _QUIT[0]
        if ends:
            raise Cancelled
        return piece


class Terminal(TypedInput):
    """The dialog of a session with the person at this terminal.

    as_json: a program reads standard output; the person still reads the words on standard error.
    by_key: pieces are keys, not lines.
    bar: the label of a progress bar below the lines, if standard error is a terminal; "": no bar.
    """

    def __init__(
        self, pieces: AsyncIterator[str], *, waits: bool, as_json: bool = False, bar: str = "", by_key: bool = False
    ) -> None:
        super().__init__(pieces, waits=waits)
        self._as_json = as_json
        self._then = "" if by_key else ", then Enter"
        self._bars = Progress(console=words, transient=True, disable=not (bar and words.is_terminal))
        self._bar = self._bars.add_task(bar, total=1.0)

    async def __aenter__(self) -> Self:
        self._bars.start()
        return await super().__aenter__()

    async def __aexit__(self, *_: object) -> None:
        await super().__aexit__()
        self._bars.stop()

    def say(self, line: str, style: str = "") -> None:
        say(line, style)

    def say_keys(self, line: str) -> None:
        say(line)

    def show(self, result: RenderableType) -> None:
        """Print a part of the result on standard output, unless a program reads that."""
        if not self._as_json:
            # Standard output may be the same terminal, so the bar has to make room.
            self._bars.stop()
            print_part(result)
            self._bars.start()

    def advance(self, done: float) -> None:
        self._bars.update(self._bar, completed=done)

    def propose(self, draft: Mapping[str, Any]) -> None:
        """Do nothing: the operator sees the draft in the output."""

    def is_taken(self, offer: JobQuestion) -> bool:
        return self.poll() == ""

    async def ask(self, question: JobQuestion) -> Answer:
        """Ask, and wait for a typed answer. A question that Enter answers was printed before. Raises `Cancelled`."""
        if "some" in question.answers:
            say(question.say)
            while True:
                named = tuple((await self.wait()).replace(",", " ").split())
                strange = [name for name in named if name not in question.names]
                if not strange:
                    return Answer("some", named)
                # A typing error must not be taken for "none of them".
                known = ", ".join(question.names)
                say(f"{', '.join(strange)} is none of them: name some of {known}, or press Enter for none.")
        if "yes" in question.answers:
            return Answer("yes" if await self.confirm(f"{question.say} y or n{self._then}.") else "no")
        await self.wait_for_enter()
        return Answer("go_on")

    async def key(self, say: str, keys: tuple[str, ...]) -> str:
        """Return the next key, whichever it is: the session explains its keys after a wrong one."""
        return await self.wait()

    def look(self, seen: "Viewfinder") -> None:
        """Do nothing: a terminal shows no pictures."""

    def tell_saved(self, file: Path | None) -> None:
        say(f"Saved in {file}." if file else NOTHING_CHANGED)

    def give(self, answer: Mapping[str, Any]) -> None:
        if self._as_json:
            print_json(answer)


async def run_session(session: Session, terminal: Terminal) -> Result:
    """Run a session with the person at this terminal.

    Ctrl-C, SIGTERM and a closed terminal end it without a result, as q does.
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
    """Run a session with typed lines. For `waits` see `TypedInput`, for `as_json` and `bar` see `Terminal`."""
    return await run_session(session, Terminal(lines, waits=waits, as_json=as_json, bar=bar))


async def no_lines() -> AsyncIterator[str]:
    """Yield no lines, for a session without questions."""
    for line in tuple[str, ...]():
        yield line
