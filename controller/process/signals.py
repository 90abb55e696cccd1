"""Signals that end a process in order: which ones, and how a process without an event loop takes them.

No asyncio here: the guard's process needs this too, and must stay small. A process with an event loop uses
`cancel_on_signal`.
"""

import signal


def stop_signals() -> list[signal.Signals]:
    """The signals that end a process in order; a hang-up too, unless it is to be ignored (nohup)."""
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if ignored else [signal.SIGHUP])]


def interrupt_on_signal() -> None:
    """From now on SIGTERM and SIGHUP raise `KeyboardInterrupt` in the main thread, as Ctrl-C does.

    Python would die of them at once, and what is open (a pin, a socket, a file) would not be closed.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
