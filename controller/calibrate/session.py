"""The frame of every guided session: asks step by step, can be cancelled at each, writes nothing before its end."""

import asyncio
import getpass
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.process import Exit, cancel_on_signal, print_json, say
from hardware.measured import Measured

NOTHING_CHANGED = "Nothing was changed."
SAVE_IT = "Save it? y or n, then Enter."
_QUIT = ("q", "quit")
_YES, _NO = ("y", "yes"), ("n", "no")
_LEAVE_IT = "End here, with nothing saved? y or n."


class Cancelled(Exception):
    """Somebody wants no calibration after all."""


class GivenUp(Exception):
    """The session cannot be finished; the message is one line that says why and what to do."""


async def run_session(work: Callable[[], Awaitable[Exit]], unsaved: Mapping[str, Any], *, as_json: bool) -> Exit:
    """Do the work of a session, and say why where it ends without its result.

    Ctrl-C, SIGTERM, a closed terminal, `Cancelled` and `GivenUp` end it with NO and, for programs, with `unsaved`.
    That they change no file is up to `work`: it writes at its end, after the last question.
    """
    try:
        async with cancel_on_signal():
            return await work()
        raise Cancelled
    except Cancelled:
        say("Cancelled: nothing was changed.")
    except GivenUp as problem:
        say(f"{problem} {NOTHING_CHANGED}")
    if as_json:
        print_json(unsaved)
    return Exit.NO


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


async def confirm_saving(typed: TypedInput, *, ask: bool, poor: str | None) -> bool:
    """Decide whether the result is kept: whoever is asked decides, else what is poor is not.

    `poor` says why the result is poor; None for one that is not.
    """
    if poor is not None:
        say(poor)
    return await typed.confirm(SAVE_IT) if ask else poor is None


def tell_saved(file: Path | None) -> Exit:
    """Say where the result was saved, or that nothing was (None), which is NO."""
    say(f"Saved in {file}." if file else NOTHING_CHANGED)
    return Exit.DONE if file else Exit.NO


def file_json(file: Path | None) -> dict[str, Any]:
    """The keys of an answer that say whether the result was saved, and in which file; None for nothing."""
    return {"saved": file is not None, "file": str(file) if file else None}


def date_now() -> datetime:
    """The time now, without microseconds, so that the date in a file is the one in its name."""
    return datetime.now().astimezone().replace(microsecond=0)


def sign_now() -> Measured:
    """Sign a result: now is its date, and whoever runs the program its author."""
    return Measured(date=date_now(), author=getpass.getuser())
