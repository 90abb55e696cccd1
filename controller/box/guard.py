"""The guard's process, which owns the /OE line: `shutbox guard`, or `python -P -m controller.box.guard`.

It opens its one pin itself and not through `real.py` or `simulated.py`, because this process must stay small: it loads
no camera, no odds and no web server, and of the real and the simulated pins only those that it opens.
"""

import argparse
import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from threading import Event

from controller.errors import NoBox
from controller.process import (
    TROUBLES,
    describe_trouble,
    exit_in_words,
    interrupt_on_signal,
    lock_socket,
    notify,
    notify_status,
    require_pi,
    start_log,
    started_by_systemd,
    watchdog_s,
)
from controller.settings import Home, find_box_home, find_home, load_settings
from firmware.guard import GuardServer, OutputEnableLine, open_listener
from firmware.wire import PinFactory
from hardware.box import Box, load_box

_log = logging.getLogger("controller.box.guard")  # not __name__, which is __main__ where systemd starts it

_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 60.0
_TICK_S = 1.0  # so often systemd is told that a guard without a line lives


def main() -> None:
    """Guard until SIGINT or SIGTERM; a wrong call is one line."""
    parser = argparse.ArgumentParser("shutbox guard", description="The owner of the servos' /OE line.")
    parser.add_argument("--mock-box", action="store_true", help="The simulated box of `shutbox mock-box`.")
    parser.add_argument("--box", help="Box profile: a name, or a file.")
    words = parser.parse_args()
    start_log()
    interrupt_on_signal()
    guard = partial(_guard_here, words.box, mock_box=words.mock_box)
    with suppress(KeyboardInterrupt), exit_in_words():
        if started_by_systemd():
            keep_guarding(guard, Event().wait)
        else:
            guard()


def keep_guarding(guard: Callable[[], None], wait: Callable[[float], object]) -> None:
    """Call `guard` until it ends in order; what keeps it from its line is told, and it is tried ever more rarely.

    As a service it is ready all the same: the daemon starts after its guard, and would wait as long as the trouble
    lasts, or as long as systemd itself waited from one try to the next.
    """
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            guard()
        except TROUBLES as trouble:
            told = describe_trouble(trouble)
        else:
            return
        _log.error("nobody guards the servos' pulses: %s (tried again in %.1f s)", told, pause_s)
        notify("READY=1")
        notify_status(f"Guards nothing: {told}")
        _wait_alive(pause_s, wait)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


def _wait_alive(pause_s: float, wait: Callable[[float], object]) -> None:
    while pause_s > 0.0:
        _notify_alive()
        wait(min(_TICK_S, pause_s))
        pause_s -= _TICK_S


def _guard_here(box_name: str | None, *, mock_box: bool) -> None:
    guard_home(find_home() if mock_box else find_box_home(), box_name, mock_box=mock_box)


def guard_home(home: Home, box_name: str | None, *, mock_box: bool) -> None:
    """Guard the box of this home until a signal, which raises `KeyboardInterrupt`.

    Raises `NoBox`, `DaemonRuns`, `BoxError`, `BoxFault`, `OSError`.
    """
    home.make()
    with (
        lock_socket(home.guard_socket, "a guard"),
        _open_simulated(home, box_name) if mock_box else _open_real(home, box_name) as (box, pins),
        closing(OutputEnableLine(box.panel.output_enable, pins)) as guard,
        open_listener(home.guard_socket) as listener,
    ):
        notify("READY=1")
        notify_status(f"No pulse but through {home.guard_socket}")
        _log.info("%s: no pulse but through %s", box.name, home.guard_socket)
        GuardServer(listener, guard, _notify_alive).serve()


def _notify_alive() -> None:
    if watchdog_s():
        notify("WATCHDOG=1")


@contextmanager
def _open_real(home: Home, box_name: str | None) -> Iterator[tuple[Box, PinFactory]]:
    from firmware.pi import open_pin_factory

    require_pi("--mock-box for the simulated one")
    settings = load_settings(home.settings)
    with closing(open_pin_factory(settings.pins)) as pins:
        yield load_box(box_name or settings.box), pins


@contextmanager
def _open_simulated(home: Home, box_name: str | None) -> Iterator[tuple[Box, PinFactory]]:
    from controller.box.mock_link import greet_mock_box
    from firmware.sim import RemoteHeader, open_pin_factory

    if box_name is not None:
        raise NoBox("a mock-box was started with its own; leave out box")
    box, _ = greet_mock_box(home)
    with RemoteHeader(home.mock_box_socket) as header, closing(open_pin_factory(header)) as pins:
        yield box, pins


if __name__ == "__main__":
    main()
