"""The log of a process, on standard error: in words for a terminal, with priorities for systemd's journal.

What failed unforeseen is one line for whoever reads it. Where in the program that was (the traceback) is for whoever
mends it: the journal keeps it with the lowest priority, a file or pipe behind the line, and a terminal is spared it.
"""

import logging
import os
import sys
import textwrap

from controller.process.troubles import describe_failure

_IN_WORDS = "%(levelname)s %(name)s: %(message)s"
_IN_THE_JOURNAL = "%(name)s: %(message)s"
# sd-daemon(3): a line may begin with its priority, as syslog(3) numbers it.
_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


class _Formatter(logging.Formatter):
    """Formats a message with the error that it is about, in a word; and the traceback by itself."""

    def format_message(self, record: logging.LogRecord) -> str:
        """The message without its traceback."""
        plain = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None})
        told = super().format(plain)
        error = record.exc_info[1] if record.exc_info else None
        return told if error is None else f"{told}: {describe_failure(error)}"

    def format_traceback(self, record: logging.LogRecord) -> list[str]:
        """The lines of the traceback; none where the message is about no error."""
        return self.formatException(record.exc_info).splitlines() if record.exc_info else []

    def format(self, record: logging.LogRecord) -> str:
        """Both, for a file or a pipe."""
        return "\n".join((self.format_message(record), *self.format_traceback(record)))


class _JournalFormatter(_Formatter):
    """Begins every line with its priority: the journal takes each line of a traceback for an entry of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """The message as important as it is, the traceback as the least of all."""
        priority, least = _PRIORITIES.get(record.levelno, 6), _PRIORITIES[logging.DEBUG]
        message = (f"<{priority}>{line}" for line in self.format_message(record).splitlines())
        return "\n".join((*message, *(f"<{least}>{line}" for line in self.format_traceback(record))))


class _TerminalFormatter(_Formatter):
    """Breaks lines between words, and leaves tracebacks out: `2> FILE` has them."""

    def format(self, record: logging.LogRecord) -> str:
        """The message, no line of it longer than the terminal is wide."""
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        return textwrap.fill(
            self.format_message(record), columns, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
        )


def start_log() -> None:
    """Log from now on, from INFO upwards."""
    handler = logging.StreamHandler()
    handler.setFormatter(_choose_formatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _choose_formatter() -> logging.Formatter:
    if _goes_to_journal():
        return _JournalFormatter(_IN_THE_JOURNAL)
    return _TerminalFormatter(_IN_WORDS) if sys.stderr.isatty() else _Formatter(_IN_WORDS)


def _goes_to_journal() -> bool:
    """True if standard error is the very stream that systemd has connected with its journal (systemd.exec(5))."""
    try:
        stream = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{stream.st_dev}:{stream.st_ino}"
