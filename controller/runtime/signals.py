"""The signals that end a process in order, and their handling in a process without an event loop.

This module does without asyncio, because the guard's process uses it and must stay small. A process with an event loop
uses `cancel_on_signal`.
"""

import signal


def stop_signals() -> list[signal.Signals]:
    """Return the signals that end a process in order; a hang-up too, unless it is ignored (nohup)."""
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if ignored else [signal.SIGHUP])]


def interrupt_on_signal() -> None:
    """Make SIGTERM and SIGHUP raise `KeyboardInterrupt` in the main thread, like Ctrl-C.

    By default they end Python at once, and open pins, sockets and files would not be closed.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
