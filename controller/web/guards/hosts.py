"""The guard of the Host header: a box answers to its own names and addresses.

Else a page of anybody's could have its own name lead to this box (DNS rebinding), and the browser would take our
answers for that page's own.
"""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.process import announced_name
from controller.web.refusals import WRONG_HOST, refusal

_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9.-]+))(?::\d{1,5})?", re.ASCII | re.IGNORECASE)


class OwnHosts:
    """Refuses (421) whoever asks for another host than this box.

    Own are the name of the computer, whole and to its first dot, and `name`, all also as `NAME.local`, localhost, and
    the very address that the connection came to: no other needs to be known, and none of them can be rebound.
    """

    def __init__(self, app: ASGIApp, name: str = "") -> None:
        self._app = app
        own = {each.lower() for each in (socket.gethostname(), announced_name(), name) if each}
        self._names = {"localhost", *own, *(f"{each}.local" for each in own)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
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
    """An address as it is written in a URL: without its zone, and of IPv4 where IPv6 only carries it."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
