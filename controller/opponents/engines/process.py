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
_MOST_QUOTED = 200  # characters
# Where it says nothing at all: what most often is the reason.
_SILENT = {
    "hello": "; is its whole command in quotes, and does it flush each line?",
    "best": "; does it flush each line?",
}
_MOST_SWEEPS = 20  # after its children, which may start others meanwhile
# Engines get what a program needs, and nothing of where this one keeps its things.
_MARK = "SHUTBOX_ENGINE"  # by which whatever an engine has started is known, in whichever group it is
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH")


# Is given what an engine is told ("<"), what it says (">") and what it writes to standard error ("!"), line by line.
Overhear = Callable[[str, str], None]


def unheard(sign: str, line: str) -> None:
    """Nobody overhears it."""


class EngineProcess:
    """One engine that runs.

    Every method raises `EngineError`, whose words say what the engine did; it has to be closed then.
    Lifetime: a context manager. Concurrency: one thread.
    """

    def __init__(self, command: str, now_s: Callable[[], float] = time.monotonic, overhear: Overhear = unheard) -> None:
        """command: as a shell would have it, without a shell."""
        self.command = command
        self._now_s = now_s
        self._overhear = overhear
        self._heard = b""
        self._murmured = b""  # to standard error, of the line that has not ended yet
        self._last_words = ""  # that were no answer
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
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env={name: os.environ[name] for name in _KEPT if name in os.environ} | {_MARK: self._mark},
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineError(f"it cannot be started: {why}") from error
        assert self._process.stdin is not None  # noqa: S101  all three are pipes
        assert self._process.stdout is not None  # noqa: S101
        assert self._process.stderr is not None  # noqa: S101
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._err: int | None = self._process.stderr.fileno()
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)

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
        for line in lines:
            self._overhear("<", line)
        self._tell("".join(f"{line}\n" for line in lines).encode(), until_s, within_s)
        unasked = 0
        while True:
            try:
                line = self._line(until_s)
            except TimeoutError as error:
                known = self._adding() or _SILENT.get(word, _SILENT["best"])
                raise EngineError(f"it says no `{word}` within {within_s:g} s{known}") from error
            said, _, rest = line.partition(" ")
            if said == word:
                self._last_words = ""
                return rest.strip()
            if said == "error":
                raise EngineError(f"it gives up: {_quoted(rest)}")
            self._last_words = line
            unasked += len(line) + 1
            if unasked > _MOST_UNASKED:
                raise EngineError(f"it says more than {_MOST_UNASKED} bytes and no `{word}`")

    def forget(self) -> int:
        """Pass over what it has said by now, and return how many bytes: an answer comes after its question."""
        passed, self._heard = self._heard, b""
        with suppress(BlockingIOError):
            while found := os.read(self._out, LONGEST_LINE):
                passed += found
                if len(passed) > _MOST_UNASKED:
                    raise EngineError(f"it says more than {_MOST_UNASKED} bytes unasked")
        for line in passed.decode(errors="replace").splitlines():
            self._overhear(">", line)
        return len(passed)

    def _tell(self, told: bytes, until_s: float, within_s: float) -> None:
        while told:
            try:
                self._wait(self._in, selectors.EVENT_WRITE, until_s)
                told = told[os.write(self._in, told) :]
            except BlockingIOError:
                continue
            except TimeoutError as error:
                raise EngineError(f"it does not read what it is told within {within_s:g} s{self._adding()}") from error
            except OSError as error:
                raise EngineError(self._ending()) from error

    def close(self) -> None:
        """Bid it farewell, and end whatever of it is left. Once is enough; more often does no harm."""
        if self._is_closed:
            return
        self._is_closed = True
        self._overhear("<", "quit")
        with suppress(OSError):
            os.write(self._in, b"quit\n")
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
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

    def _line(self, until_s: float) -> str:
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise EngineError(f"it says a line of more than {LONGEST_LINE} bytes")
            self._wait(self._out, selectors.EVENT_READ, until_s)
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
        self._overhear(">", told)
        return told

    def _wait(self, descriptor: int, what: int, until_s: float) -> None:
        """Wait until it can be told or heard; meanwhile its standard error is read, so that it never waits for that.

        Raises `TimeoutError`.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, what)
            if self._err is not None:
                selector.register(self._err, selectors.EVENT_READ)
            while True:
                left_s = until_s - self._now_s()
                ready = selector.select(left_s) if left_s > 0 else []
                if not ready:
                    raise TimeoutError
                for key, _ in ready:
                    if key.fd == self._err and not self._hear_murmur():
                        selector.unregister(self._err)
                        self._err = None
                if any(key.fd == descriptor for key, _ in ready):
                    return

    def _hear_murmur(self) -> bool:
        """Read what it has written to standard error by now; False once nothing more can come."""
        assert self._err is not None  # noqa: S101  read as long as it is open
        with suppress(BlockingIOError):
            found = os.read(self._err, LONGEST_LINE)
            if not found:
                return False
            *lines, last = (self._murmured + found).split(b"\n")
            self._murmured = last[-LONGEST_LINE:]
            for line in (each.decode(errors="replace").rstrip("\r") for each in lines):
                self._overhear("!", line)
                self._last_words = line if line.strip() else self._last_words
        return True

    def _adding(self) -> str:
        """Return what it said last that was no answer, to be added to a reason; empty if it said nothing."""
        return f"; its last words are {_quoted(self._last_words)}" if self._last_words else ""

    def _ending(self) -> str:
        """Say how it ended, or that it has only closed its mouth."""
        try:
            status = self._process.wait(_FAREWELL_S)
        except subprocess.TimeoutExpired:
            return f"it says nothing more, though it has not ended{self._adding()}"
        for _ in range(_MOST_UNASKED // LONGEST_LINE):
            if self._err is None or not self._hear_murmur():
                break
        if status < 0:
            return f"it was ended by {signal.Signals(-status).name}{self._adding()}"
        return f"it has ended, with status {status}{self._adding()}"


def _quoted(text: str) -> str:
    """Return what an engine says in quotes; what a terminal would obey is spelled out."""
    return repr(text[:_MOST_QUOTED])
