"""The end of a process and its answers to programs: exit status, JSON on standard output, an error in one line."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from enum import IntEnum
from typing import Any

from controller.errors import ShutboxError
from hardware.errors import BoxError, BoxFault, Fault


class Exit(IntEnum):
    """Exit statuses of all commands; `EXIT_MEANINGS` says what each means."""

    DONE = 0
    NO = 1
    WRONG_CALL = 2
    AGAIN = 75  # EX_TEMPFAIL; systemd/shutbox.service starts it again
    STOPPED = 130


EXIT_MEANINGS: Mapping[Exit, str] = {
    Exit.DONE: "done",
    Exit.NO: "the answer is no: a fault of the box, a game that does not replay, a failed test",
    Exit.WRONG_CALL: "the call was wrong, or something it needs is missing; one line on standard error says what",
    Exit.AGAIN: "an operator has the service started again from a page, and systemd does so",
    Exit.STOPPED: "stopped with Ctrl-C",
}


def print_json(value: Mapping[str, Any]) -> None:
    """Write one JSON object on one line, and flush, so that the reader of a pipe gets it immediately."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def print_document(value: Mapping[str, Any]) -> None:
    """Write one JSON object over several lines, for people."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def fault_json(fault: Fault) -> dict[str, str]:
    return asdict(fault)


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
