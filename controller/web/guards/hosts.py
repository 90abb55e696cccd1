"""The guard of the Host header: a box answers to its own names and addresses only.

Otherwise any page could point its own host name at this box (DNS rebinding), and the browser would take our answers for
that page's own.
"""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.process.addresses import announced_name
from controller.web.refusals import WRONG_HOST, refusal

_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9.-]+))(?::\d{1,5})?", re.ASCII | re.IGNORECASE)


class OwnHosts:
    """Refuses (421) requests for a host other than this box.

    Accepted are the name of the computer, in full and up to its first dot, and `name`, each also as `NAME.local`;
    localhost; and the address that the connection came to. No other address needs to be known, and none of these can be
    rebound.
    """

    def __init__(self, app: ASGIApp, name: str = "") -> None:
        self._app = app
        own = {each.lower() for each in (socket.gethostname(), announced_name(), name) if each}
        self._names = {"localhost", *own, *(f"{each}.local" for each in own)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope).getlist("host")
        if len(asked) == 1 and self._is_own(asked[0], scope):
            await self._app(scope, receive, send)
            return
        refused = refusal(421, WRONG_HOST, "this box has another name; its address is always one of its names")
        await refused(scope, receive, send)

    def _is_own(self, host: str, scope: Scope) -> bool:
        asked = _HOST.fullmatch(host)
        if asked is None:
            return False
        if (asked["name"] or "").lower() in self._names:
            return True
        here = _address(scope["server"][0])
        return here is not None and _address(asked["address"] or asked["name"]) == here


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address of a URL: without its zone, and as IPv4 if IPv6 only carries it; None for anything else."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
