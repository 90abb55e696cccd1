"""The process of an engine: told lines on its standard input, heard on its standard output, within time and size.

Whatever it does (nothing, nonsense, floods, its end) costs it its seat and nobody else anything: every wait has an end,
every buffer a size, and with it go all processes of its group.
"""

import os
import secrets
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.errors import EngineError

LONGEST_LINE = 4096  # bytes, of what an engine says
_MOST_UNASKED = 65_536  # bytes that it may say besides before an answer
_FAREWELL_S = 0.5
_MOST_SWEEPS = 20  # after its children, which may start others meanwhile
# Engines get what a program needs, and nothing of where this one keeps its things.
_MARK = "SHUTBOX_ENGINE"  # by which whatever an engine has started is known, in whichever group it is
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH")


class EngineProcess:
    """One engine that runs.

    Every method raises `EngineError`, whose words say what the engine did; it has to be closed then.
    Lifetime: a context manager. Concurrency: one thread.
    """

    def __init__(self, command: str, now_s: Callable[[], float] = time.monotonic) -> None:
        """command: as a shell would have it, without a shell."""
        self.command = command
        self._now_s = now_s
        self._heard = b""
        self._is_closed = False
        self._mark = secrets.token_hex(16)
        try:
            words = shlex.split(command)
            if not words:
                raise EngineError("there is no program to start")
            self._process = subprocess.Popen(  # noqa: S603  the program that somebody has named
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
                env={name: os.environ[name] for name in _KEPT if name in os.environ} | {_MARK: self._mark},
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineError(f"it cannot be started: {why}") from error
        assert self._process.stdin is not None  # noqa: S101  both are pipes
        assert self._process.stdout is not None  # noqa: S101
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, lines: Sequence[str], word: str, within_s: float) -> str:
        """Tell it these lines, and return what it says then after this word at the beginning of a line.

        It has so long for all of it. Other lines are passed over.
        """
        until_s = self._now_s() + within_s
        self._tell("".join(f"{line}\n" for line in lines).encode(), until_s, within_s)
        unasked = 0
        while True:
            line = self._line(until_s, f"it says no `{word}` within {within_s:g} s")
            said, _, rest = line.partition(" ")
            if said == word:
                return rest.strip()
            if said == "error":
                raise EngineError(f"it gives up: {rest[:200]}")
            unasked += len(line) + 1
            if unasked > _MOST_UNASKED:
                raise EngineError(f"it says more than {_MOST_UNASKED} bytes and no `{word}`")

    def forget(self) -> int:
        """Pass over what it has said by now, and return how many bytes: an answer comes after its question."""
        passed, self._heard = len(self._heard), b""
        with suppress(BlockingIOError):
            while found := os.read(self._out, LONGEST_LINE):
                passed += len(found)
                if passed > _MOST_UNASKED:
                    raise EngineError(f"it says more than {_MOST_UNASKED} bytes unasked")
        return passed

    def _tell(self, told: bytes, until_s: float, within_s: float) -> None:
        late = f"it does not read what it is told within {within_s:g} s"
        while told:
            self._wait(self._in, selectors.EVENT_WRITE, until_s, late)
            try:
                told = told[os.write(self._in, told) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise EngineError(self._ending()) from error

    def close(self) -> None:
        """Bid it farewell, and end whatever of it is left. Once is enough; more often does no harm."""
        if self._is_closed:
            return
        self._is_closed = True
        with suppress(OSError):
            os.write(self._in, b"quit\n")
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL_S)
        # Its children, too: most are of its group, which outlives it.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for _ in range(_MOST_SWEEPS):
            left = [*self._left()]
            if not left:
                break
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def _left(self) -> Iterator[int]:
        """The processes that bear its mark: those which have left its group."""
        mark = f"{_MARK}={self._mark}".encode()
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # ended meanwhile, or another user's
                if mark in (folder / "environ").read_bytes():
                    yield int(folder.name)

    def _line(self, until_s: float, late: str) -> str:
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise EngineError(f"it says a line of more than {LONGEST_LINE} bytes")
            self._wait(self._out, selectors.EVENT_READ, until_s, late)
            try:
                found = os.read(self._out, LONGEST_LINE)
            except BlockingIOError:
                continue
            if not found:
                raise EngineError(self._ending())
            self._heard += found
        line, _, self._heard = self._heard.partition(b"\n")
        if len(line) > LONGEST_LINE:
            raise EngineError(f"it says a line of more than {LONGEST_LINE} bytes")
        try:
            told = line.decode().rstrip("\r")
        except UnicodeDecodeError as error:
            raise EngineError("it says something that is no text in UTF-8") from error
        return told

    def _wait(self, descriptor: int, what: int, until_s: float, late: str) -> None:
        left_s = until_s - self._now_s()
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, what)
            if left_s <= 0 or not selector.select(left_s):
                raise EngineError(late)

    def _ending(self) -> str:
        """Say how it ended, or that it has only closed its mouth."""
        try:
            status = self._process.wait(_FAREWELL_S)
        except subprocess.TimeoutExpired:
            return "it says nothing more, though it has not ended"
        if status < 0:
            return f"it was ended by {signal.Signals(-status).name}"
        return f"it has ended, with status {status}"
