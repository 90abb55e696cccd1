"""espeak-ng: a sentence said aloud by a process of its own, at the sound card or into a file."""

import asyncio
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from controller.errors import NoVoice

_PROGRAM = "espeak-ng"
_LONGEST_S = 30.0  # a sound card that takes nothing more
_UTF_8 = "1"


class Espeak:
    """The voice of espeak-ng in one language.

    Concurrency: one event loop, one sentence at a time.
    """

    def __init__(self, language: str, words_a_minute: int, folder: Path | None = None) -> None:
        """folder: each sentence becomes a WAV file there instead. Raises `NoVoice` where espeak-ng is not installed."""
        program = shutil.which(_PROGRAM)
        if program is None:
            raise NoVoice(f"the box speaks by {_PROGRAM}, which is not here; say `sudo apt install {_PROGRAM}`")
        self._command = (program, "--stdin", "-b", _UTF_8, "-v", language, "-s", str(words_a_minute))
        self._files = None if folder is None else _free_files(folder.absolute())

    async def say(self, text: str) -> None:
        """Say it, and return when it was said. Cancelling stops it in the middle. Raises `NoVoice`."""
        into = () if self._files is None else ("-w", str(next(self._files)))
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command, *into, stdin=PIPE, stdout=DEVNULL, stderr=PIPE, process_group=0
            )
        except OSError as error:
            raise NoVoice(f"{_PROGRAM} cannot be started: {error.strerror}") from error
        try:
            async with asyncio.timeout(_LONGEST_S):
                _, told = await process.communicate(text.encode())
        except TimeoutError:
            raise NoVoice(f"{_PROGRAM} does not come to the end of a sentence; is the sound card busy?") from None
        finally:
            if process.returncode is None:
                # With all that it has started: who is left would hold its pipes, for whose end the wait is.
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        trouble = _trouble_in(told.decode(errors="replace"))
        if trouble or process.returncode:
            raise NoVoice(f"{_PROGRAM} fails, perhaps for want of a sound card: {trouble or process.returncode}")


def _free_files(folder: Path) -> Iterator[Path]:
    """Yield the files of one sentence after the other; those that are there stay."""
    number = 0
    while True:
        number += 1
        path = folder / f"{number:04}.wav"
        if not path.exists():
            yield path


def _trouble_in(told: str) -> str:
    """Return the line by which espeak-ng says that it failed, which its status does not; "" if there is none.

    The libraries of sound cards complain of much else, and are heard all the same.
    """
    return next((line for line in told.splitlines() if line.lower().startswith(("error", "can't write"))), "")
