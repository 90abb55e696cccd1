"""The log of a process on standard error: plain for a terminal, with priorities for systemd's journal.

An unexpected failure is one line for the reader. Its traceback is for the developer: the journal keeps it with the
lowest priority, a file or pipe after the line, and a terminal does not show it.
"""

import logging
import os
import sys
import textwrap

from controller.runtime.output import describe_failure

_IN_WORDS = "%(levelname)s %(name)s: %(message)s"
_IN_THE_JOURNAL = "%(name)s: %(message)s"
# sd-daemon(3): a line may begin with its priority, as syslog(3) numbers it.
_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


class _Formatter(logging.Formatter):
    """Formats a message with its error in one line, and the traceback separately."""

    def format_message(self, record: logging.LogRecord) -> str:
        """Return the message without its traceback."""
        plain = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None})
        message = super().format(plain)
        error = record.exc_info[1] if record.exc_info else None
        return message if error is None else f"{message}: {describe_failure(error)}"

    def format_traceback(self, record: logging.LogRecord) -> list[str]:
        """Return the lines of the traceback; none if the record has no error."""
        return self.formatException(record.exc_info).splitlines() if record.exc_info else []

    def format(self, record: logging.LogRecord) -> str:
        """Return both, for a file or a pipe."""
        return "\n".join((self.format_message(record), *self.format_traceback(record)))


class _JournalFormatter(_Formatter):
    """Begins every line with its priority, because the journal makes each line of a traceback a separate entry."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message with its own priority, and the traceback with the lowest."""
        priority, least = _PRIORITIES.get(record.levelno, 6), _PRIORITIES[logging.DEBUG]
        message = (f"<{priority}>{line}" for line in self.format_message(record).splitlines())
        return "\n".join((*message, *(f"<{least}>{line}" for line in self.format_traceback(record))))


class _TerminalFormatter(_Formatter):
    """Breaks lines between words and omits tracebacks, which `2> FILE` contains."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the message, wrapped to the width of the terminal."""
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        return textwrap.fill(
            self.format_message(record), columns, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
        )


def start_log() -> None:
    """Start logging, from INFO upwards."""
    handler = logging.StreamHandler()
    if _goes_to_journal():
        handler.setFormatter(_JournalFormatter(_IN_THE_JOURNAL))
    else:
        handler.setFormatter(_TerminalFormatter(_IN_WORDS) if sys.stderr.isatty() else _Formatter(_IN_WORDS))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _goes_to_journal() -> bool:
    """Return whether standard error is the stream that systemd has connected to its journal (systemd.exec(5))."""
    try:
        stream = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{stream.st_dev}:{stream.st_ino}"
