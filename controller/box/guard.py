"""The guard process, which owns the /OE line: `shutbox guard`, or `python -P -m controller.box.guard`.

The systemd units of installed boxes name this module, also those of other versions: do not move it.

The guard opens its one pin itself, not through `real.py` or `simulated.py`, because this process must stay small: it
imports no camera, no odds and no web server, and only the pins that it opens, real or simulated.
"""

import argparse
import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from threading import Event

from controller.box.start import settings_at_start
from controller.errors import NoBox
from controller.runtime.home import Home, find_box_home, find_home
from controller.runtime.locks import lock_socket
from controller.runtime.log import start_log
from controller.runtime.machine import require_pi
from controller.runtime.output import TROUBLES, describe_trouble, exit_in_words
from controller.runtime.signals import interrupt_on_signal
from controller.runtime.systemd import notify, notify_status, started_by_systemd, watchdog_s
from firmware.guard.line import OutputEnableLine
from firmware.guard.server import GuardServer, open_listener
from firmware.wire import PinFactory
from hardware.box import Box, load_box

_log = logging.getLogger("controller.box.guard")  # not __name__, which is __main__ where systemd starts it

_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 60.0
_TICK_S = 1.0  # interval of the watchdog messages to systemd while there is no line to guard


def main() -> None:
    """Guard until SIGINT or SIGTERM. A wrong call ends with a one-line message."""
    parser = argparse.ArgumentParser("shutbox guard", description="The owner of the servos' /OE line.")
    parser.add_argument("--mock-box", action="store_true", help="The simulated box of `shutbox mock-box`.")
    parser.add_argument("--box", help="Box profile: a name, or a file.")
    words = parser.parse_args()
    start_log()
    interrupt_on_signal()

    def guard() -> None:
        home = find_home() if words.mock_box else find_box_home()
        guard_home(home, words.box, mock_box=words.mock_box)

    with suppress(KeyboardInterrupt), exit_in_words():
        if started_by_systemd():
            keep_guarding(guard, Event().wait)
        else:
            guard()


def keep_guarding(guard: Callable[[], None], wait: Callable[[float], object]) -> None:
    """Call `guard` until it ends in order; log what keeps it from its line, and retry after ever longer pauses.

    The service reports ready even without its line: the daemon starts after its guard, and would otherwise wait as long
    as the problem lasts, or for systemd's own pause between two tries.
    """
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            guard()
        except TROUBLES as trouble:
            told = describe_trouble(trouble)
        else:
            return
        _log.error("servo pulses are not guarded problem=%s retry_s=%.1f", told, pause_s)
        notify("READY=1")
        notify_status(f"Guards nothing: {told}")
        left_s = pause_s
        while left_s > 0.0:
            _notify_alive()
            wait(min(_TICK_S, left_s))
            left_s -= _TICK_S
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


def guard_home(home: Home, box_name: str | None, *, mock_box: bool) -> None:
    """Guard the box of this home until a signal, which raises `KeyboardInterrupt`.

    Raises `NoBox`, `DaemonRuns`, `BoxError`, `BoxFault`, `OSError`.
    """
    home.make()
    with (
        lock_socket(home.guard_socket, "a guard"),  # two guards would fight over the line
        _open_simulated(home, box_name) if mock_box else _open_real(home, box_name) as (box, pins),
        closing(OutputEnableLine(box.panel.output_enable, pins)) as guard,
        open_listener(home.guard_socket) as listener,
    ):
        notify("READY=1")
        notify_status(f"No pulse but through {home.guard_socket}")
        _log.info("guarding the servo pulses box=%s socket=%s", box.name, home.guard_socket)
        GuardServer(listener, guard, _notify_alive).serve()


def _notify_alive() -> None:
    if watchdog_s():  # only where systemd expects it
        notify("WATCHDOG=1")


@contextmanager
def _open_real(home: Home, box_name: str | None) -> Iterator[tuple[Box, PinFactory]]:
    from firmware.pi.pins import open_pin_factory

    require_pi("--mock-box for the simulated one")
    settings = settings_at_start(home).known
    with closing(open_pin_factory(settings.pins)) as pins:
        yield load_box(box_name or settings.box), pins


@contextmanager
def _open_simulated(home: Home, box_name: str | None) -> Iterator[tuple[Box, PinFactory]]:
    from controller.box.simulated_actions import greet_mock_box
    from firmware.sim.pins import open_pin_factory
    from firmware.sim.remote import RemoteHeader

    if box_name is not None:
        raise NoBox("a mock-box was started with its own; leave out box")
    box, _ = greet_mock_box(home)
    with RemoteHeader(home.mock_box_socket) as header, closing(open_pin_factory(header)) as pins:
        yield box, pins


if __name__ == "__main__":
    main()
