"""The end of a small process that does not load the command line: one line, with the exit status of `shutbox`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from controller.errors import ShutboxError
from controller.process.output import Exit
from hardware.errors import BoxError, BoxFault

TROUBLES = (BoxError, ShutboxError, BoxFault, OSError)


@contextmanager
def exit_in_words() -> Iterator[None]:
    """Exit if the block raises one of `TROUBLES`: a line on standard error, status 1 for a fault, else 2."""
    try:
        yield
    except TROUBLES as trouble:
        print(f"shutbox: {describe_trouble(trouble)}", file=sys.stderr)
        sys.exit(Exit.NO if isinstance(trouble, BoxFault) else Exit.WRONG_CALL)


def describe_trouble(trouble: Exception) -> str:
    """Return one of `TROUBLES` as one line for the person at the box."""
    if isinstance(trouble, OSError):
        return f"{trouble.filename or 'computer'}: {trouble.strerror or trouble}"
    return " ".join(str(trouble).split())


def describe_failure(error: BaseException) -> str:
    """Return any error as one line for a developer."""
    error = first_of(error)
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def first_of(error: BaseException) -> BaseException:
    """Return the error itself; of a group the first one, because the other tasks were cancelled by it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
