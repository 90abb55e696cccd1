"""The port of the daemon through which phones and other computers reach it, if its owner wants that."""

import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from controller.errors import SettingsError
from controller.process.ports import open_port
from controller.process.systemd import passed_sockets
from controller.settings import Web

_log = logging.getLogger(__name__)


@contextmanager
def listen_to_network(web: Web) -> Iterator[Sequence[socket.socket]]:
    """Yield the sockets on which the daemon serves the network: those passed by systemd, else the one of the settings.

    The sequence is empty if the owner does not want it, or if the port cannot be opened, which is logged: no game waits
    for a port.
    """
    with ExitStack() as stack:
        passed = [stack.enter_context(each) for each in passed_sockets()]
        if not web.on:
            if passed:
                _log.info("port passed by systemd is not used, web.on is false in the settings ports=%s", len(passed))
            yield []
            return
        sockets = passed
        if not passed:
            try:
                sockets = [stack.enter_context(open_port(web.address, web.port))]
            except SettingsError as error:
                _log.warning("port not opened, the network cannot reach this box error=%s", error)
        yield sockets
