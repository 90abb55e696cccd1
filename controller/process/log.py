"""The log of a process, on standard error: in words for a terminal, with priorities for systemd's journal."""

import logging
import os
import sys

_IN_WORDS = "%(levelname)s %(name)s: %(message)s"
_IN_THE_JOURNAL = "%(name)s: %(message)s"
# sd-daemon(3): a line may begin with its priority, as syslog(3) numbers it.
_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


class _JournalFormatter(logging.Formatter):
    """Begins every line with its priority: the journal takes each line of a traceback for an entry of its own."""

    def format(self, record: logging.LogRecord) -> str:
        priority = f"<{_PRIORITIES.get(record.levelno, 6)}>"
        return "\n".join(priority + line for line in super().format(record).splitlines())


def start_log() -> None:
    """Log from now on, from INFO upwards."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JournalFormatter(_IN_THE_JOURNAL) if _goes_to_journal() else logging.Formatter(_IN_WORDS))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _goes_to_journal() -> bool:
    """True if standard error is the very stream that systemd has connected with its journal (systemd.exec(5))."""
    try:
        stream = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{stream.st_dev}:{stream.st_ino}"
