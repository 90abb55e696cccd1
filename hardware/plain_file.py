"""Reading the files of a home, whatever lies in their place: it never waits, and never takes more memory than expected.

A start reads files that people and worn cards have had in their hands. Every one of them is read by `read_plain`, which
takes only a regular file of a bounded size: a FIFO would hold the program up for ever, and a device may have no end.
"""

import errno
import os
import stat
from datetime import date
from itertools import count
from pathlib import Path

MOST_TEXT_BYTES = 1_000_000  # of a file that people write, or that the program keeps for itself


def read_plain(path: Path, most_bytes: int = MOST_TEXT_BYTES) -> bytes:
    """Return what is in a regular file of at most `most_bytes`.

    Raises `FileNotFoundError` if nothing is there, and `OSError`, whose `strerror` names the reason, for anything else
    that cannot be read: also for a link to nothing, which somebody has put there to be read.
    """
    try:
        # A FIFO without a writer opens at once this way.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        if path.is_symlink():
            raise OSError(errno.ENOLINK, "a link to nothing", str(path)) from error
        raise
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a file", str(path))
        with open(handle, "rb", closefd=False) as file:
            data = file.read(most_bytes + 1)
    finally:
        os.close(handle)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, f"larger than {most_bytes:,} bytes", str(path))
    return data


def read_plain_text(path: Path) -> str:
    """Return the text (UTF-8) of a file. Raises as `read_plain`, also for a file that is no text."""
    try:
        return read_plain(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise OSError(errno.EILSEQ, "not a text file", str(path)) from error


def name_aside(path: Path, why: str, today: date) -> Path:
    """Return an unused name beside `path` for what can no longer be used there: `access.damaged-2026-03-01.json`."""
    names = (
        path.with_name(f"{path.stem}.{why}-{today}{f'-{number}' if number > 1 else ''}{path.suffix}")
        for number in count(1)
    )
    return next(name for name in names if not os.path.lexists(name))
