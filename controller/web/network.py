"""The port of the daemon at which phones and other computers reach it, where its owner wants that."""

import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from controller.errors import SettingsError
from controller.process import open_port, passed_sockets
from controller.settings import Web

_log = logging.getLogger(__name__)


@contextmanager
def listen_to_network(web: Web) -> Iterator[Sequence[socket.socket]]:
    """The sockets at which the network is heard: those that systemd has passed, else the one of the settings.

    None where it is not wanted, and none where it cannot be had, which the log tells: no game waits for a port.
    """
    with ExitStack() as stack:
        passed = [stack.enter_context(each) for each in passed_sockets()]
        if not web.on:
            if passed:
                _log.info("a port was passed, but web.on is false in the settings: nobody is heard there")
            yield []
            return
        yield passed or [stack.enter_context(each) for each in _open(web)]


def _open(web: Web) -> Iterator[socket.socket]:
    try:
        yield open_port(web.address, web.port)
    except SettingsError as error:
        _log.warning("nobody in the network reaches this box: %s", error)
