"""The sockets of a running daemon, its port in the network, and the addresses by which devices reach it."""

import asyncio
import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from controller.errors import DaemonRuns, SettingsError
from controller.runtime.home import Home
from controller.runtime.locks import why_closed
from controller.runtime.machine import announced_name, open_port, own_addresses
from controller.runtime.systemd import passed_sockets
from controller.settings import Web

if TYPE_CHECKING:
    from segno import QRCode

_LOOK_EVERY_S = 0.2
_LOOKS = 50


def daemon_runs(home: Home) -> bool:
    """Return True if a daemon listens on a socket of this home. Raises `SettingsError` for one we may not open."""
    return any(map(_listens, home.sockets))


def find_socket(home: Home) -> Path:
    """Return the socket of the running daemon; if none runs, the home's own socket, for the error that names it."""
    return next(filter(_listens, home.sockets), home.socket)


async def wait_for_daemon(home: Home) -> None:
    """Wait until a starting daemon listens, for at most ten seconds; then raise `DaemonRuns`.

    The daemon holds the lock of the box already, and listens as soon as its journal is open.
    """
    for _ in range(_LOOKS):
        if daemon_runs(home):
            return
        await asyncio.sleep(_LOOK_EVERY_S)
    raise DaemonRuns("another process has this box and does not answer; stop it first")


def _listens(path: Path) -> bool:
    # Only a connection shows it: a killed daemon leaves its socket in the folder.
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except PermissionError as error:
            # Must not count as no daemon: a second daemon would compete with it for the box.
            raise SettingsError(f"the socket of a daemon: {why_closed(path)}") from error
        except OSError:
            return False
    return True


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
                _log.info("ignoring the port passed by systemd, web.on is false in the settings count=%s", len(passed))
            yield []
            return
        sockets = passed
        if not passed:
            try:
                sockets = [stack.enter_context(open_port(web.address, web.port))]
            except SettingsError as error:
                _log.warning("port not opened, the network cannot reach this box error=%s", error)
        yield sockets


def page_addresses(network: Web) -> Sequence[str]:
    """Return the addresses of the front page, such as `http://192.168.1.20:8080`, the most widely usable first.

    That behind a proxy comes first, then a name given by the owner; a name that ends in `.local` last, since not every
    phone resolves those.
    """
    listens_at = ip_address(network.address)
    announced = f"{announced_name()}.local"
    if listens_at.is_unspecified:
        hosts = [*own_addresses(), announced]
    elif listens_at.is_loopback and network.proxies:
        hosts = []
    else:
        hosts = [f"[{listens_at}]" if listens_at.version == 6 else str(listens_at)]
    named = [network.name] if network.name and hosts else []
    secure = [f"https://{network.name or announced}"] if network.proxies else []
    return [*secure, *(f"http://{host}:{network.port}" for host in dict.fromkeys((*named, *hosts)))]


def is_for_this_computer(network: Web) -> bool:
    """Return True if only this computer's own browsers can open the page: no other device can open its address."""
    return ip_address(network.address).is_loopback and not network.proxies


def join_link(address: str, code: str) -> str:
    """Return the address that lets a device in. `code`: the one for links, not the one that people type."""
    return f"{address}/join/{code}"


def qr_code(link: str) -> "QRCode":
    """Return the QR code of a link, as small as possible: it is read from a screen, which has no stains."""
    # Loaded here: most commands and most daemons never draw one.
    import segno

    return segno.make(link, error="l", boost_error=False, micro=False)
