"""The guard's process, which owns the /OE line: `shutbox guard`, or `python -P -m controller.box.guard`.

It opens its one pin itself and not through `real.py` or `simulated.py`, because this process must stay small: it loads
no camera, no odds and no web server, and of the real and the simulated pins only those that it opens.
"""

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from controller.errors import NoBox, ShutboxError
from controller.process import interrupt_on_signal, lock_socket, notify, require_pi, watchdog_s
from controller.settings import Home, find_box_home, find_home, load_settings
from firmware.guard import GuardServer, OutputEnableLine, open_listener
from firmware.wire import PinFactory
from hardware.box import Box, load_box
from hardware.errors import BoxError, BoxFault


def main() -> None:
    """Guard until SIGINT or SIGTERM; a wrong call is one line."""
    parser = argparse.ArgumentParser("shutbox guard", description="The owner of the servos' /OE line.")
    parser.add_argument("--mock-box", action="store_true", help="The simulated box of `shutbox mock-box`.")
    parser.add_argument("--box", help="Box profile: a name, or a file.")
    words = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    try:
        home = find_home() if words.mock_box else find_box_home()
        guard_home(home, words.box, mock_box=words.mock_box)
    except (BoxError, ShutboxError) as error:
        _leave(2, str(error))
    except BoxFault as error:
        _leave(1, str(error))
    except OSError as error:
        _leave(2, f"{error.filename or 'guard'}: {error.strerror or error}")


def guard_home(home: Home, box_name: str | None, *, mock_box: bool) -> None:
    """Guard the box of this home until a signal. Raises `NoBox`, `DaemonRuns`, `BoxError`, `BoxFault`, `OSError`."""
    home.make()
    interrupt_on_signal()
    with (
        suppress(KeyboardInterrupt),
        lock_socket(home.guard_socket, "a guard"),
        _open_simulated(home, box_name) if mock_box else _open_real(home, box_name) as (box, pins),
        closing(OutputEnableLine(box.panel.output_enable, pins)) as guard,
        open_listener(home.guard_socket) as listener,
    ):
        notify("READY=1")
        logging.getLogger("controller.box.guard").info("%s: no pulse but through %s", box.name, home.guard_socket)
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


def _leave(status: int, line: str) -> None:
    print(f"shutbox: {' '.join(line.split())}", file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main()
