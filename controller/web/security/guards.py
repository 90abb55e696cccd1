"""The checks that every request passes before the application sees it: form, host, origin, body, and page headers."""

import re
import socket
from collections import Counter
from collections.abc import Collection, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, cast
from urllib.parse import unquote

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from controller.errors import TooBusy
from controller.runtime.machine import announced_name
from controller.web.refusals import (
    LONGEST_HEAD,
    NOT_JSON,
    NOT_UNDERSTOOD,
    WRONG_HOST,
    is_upload,
    longest_body,
    refusal,
    refuse_foreign_page,
    refuse_too_large,
)
from controller.web.security.rates import TOO_MUCH

_CLOSING = {"Connection": "close"}  # the rest of the body is not read, so no further request can follow it


class Layer:
    """A check or change of every request in front of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app


class SmallJson(Layer):
    """Refuses a request by its headers if the body is not JSON (415), too large (413), or has two lengths (400).

    A backup is sent as it is, and may be larger. A body without a declared length is counted while the application
    reads it (413 as well).
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, refused = Headers(scope=scope), None
        length, is_chunked = headers.get("content-length"), "transfer-encoding" in headers
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        wanted, most, what = "application/json", longest_body(scope), "a body must be JSON"
        if is_upload(scope):
            wanted, what = "application/gzip", "a backup is sent as it is"
        is_wanted = kind == wanted and headers.get("content-encoding", "identity") == "identity"
        if sum(len(name) + len(value) for name, value in headers.raw) > LONGEST_HEAD:
            refused = refusal(431, NOT_UNDERSTOOD, f"the headers are more than {LONGEST_HEAD // 1024} kB", _CLOSING)
        elif length is not None and is_chunked:
            # A proxy in between might believe the other length, and take part of the body for a request.
            refused = refusal(400, NOT_UNDERSTOOD, "the body has two lengths", _CLOSING)
        elif length is not None and int(length) > most:
            refused = refuse_too_large(scope)
        elif (is_chunked or int(length or 0)) and not is_wanted:
            refused = refusal(415, NOT_JSON, f"{what}: Content-Type: {wanted}")
        if refused is not None:
            await refused(scope, receive, send)
            return
        read = 0

        async def receive_counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(413)
            return message

        await self._app(scope, receive_counted, send)


_ABSOLUTE = re.compile(rb"http://(?P<host>[^/]+)(?P<path>/.*)?", re.IGNORECASE | re.DOTALL)


class NormalForm(Layer):
    """Serves HEAD as GET, with its role and headers, and an absolute URL as the path in it.

    The server leaves out the body of the answer to HEAD.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        plain = {**scope, "method": "GET"} if scope.get("method") == "HEAD" else {**scope}
        if absolute := _ABSOLUTE.fullmatch(scope["raw_path"]):
            # The host of an absolute URL replaces the header, which then has no meaning (RFC 9112, 3.2.2).
            path = absolute["path"] or b"/"
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            plain["path"], plain["raw_path"] = unquote(path.decode("ascii")), path
            plain["headers"] = [*others, (b"host", absolute["host"])]
        await self._app(plain, receive, send)


# Only content from the box itself; no other site may embed our pages.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PAGE_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # browsers that do not know frame-ancestors
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
_STARTS = {"http.response.start", "websocket.http.response.start"}


class PageHeaders(Layer):
    """Adds those headers to every answer that does not set them itself."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] in _STARTS:
                headers = MutableHeaders(scope=message)
                for name, value in PAGE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


PEER = "shutbox-peer"  # in a scope: the address from which the connection comes
_MOST_WATCHERS = 16  # of one address behind a proxy; each page has one, and all who come through it share its room


class BehindProxy(Layer):
    """Believes what these proxies say of their clients' addresses and of https; all others speak for themselves.

    A client that says it is at the proxy's own computer, or is no address, is one of the proxy's.
    Refuses (429) more than 16 WebSockets of one such client.
    """

    def __init__(self, app: ASGIApp, proxies: Collection[str]) -> None:
        super().__init__(cast("ASGIApp", ProxyHeadersMiddleware(cast("Any", self._serve), [*proxies])))
        self._served, self._proxies = app, proxies
        self._watchers = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, PEER: scope["client"][0]}, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        client, peer = scope["client"][0], scope[PEER]
        told = _address(client)
        if told is None or told.is_loopback:
            client = peer
            scope = {**scope, "client": (client, 0)}
        if scope["type"] != "websocket" or peer not in self._proxies:
            await self._served(scope, receive, send)
        elif self._watchers[client] >= _MOST_WATCHERS:
            await refusal(429, TooBusy.code, TOO_MUCH, {"Retry-After": "2"})(scope, receive, send)
        else:
            self._watchers[client] += 1
            try:
                await self._served(scope, receive, send)
            finally:
                self._watchers[client] -= 1
                self._watchers += Counter[str]()  # forgets whoever has none


_HOST = re.compile(r"(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9.-]+))(?::\d{1,5})?", re.ASCII | re.IGNORECASE)


class OwnHosts(Layer):
    """Refuses (421) requests for a host other than this box.

    Accepted are the name of the computer, in full and up to its first dot, and `name`, each also as `NAME.local`;
    localhost; and the address that the connection came to. No other address needs to be known, and none of these can be
    rebound.
    """

    def __init__(self, app: ASGIApp, name: str = "") -> None:
        super().__init__(app)
        own = {each.lower() for each in (socket.gethostname(), announced_name(), name) if each}
        self._names = {"localhost", *own, *(f"{each}.local" for each in own)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope).getlist("host")
        host = _HOST.fullmatch(asked[0]) if len(asked) == 1 else None
        here = _address(scope["server"][0])
        is_named = host is not None and (host["name"] or "").lower() in self._names
        is_here = host is not None and here is not None and _address(host["address"] or host["name"]) == here
        if is_named or is_here:
            await self._app(scope, receive, send)
            return
        refused = refusal(421, WRONG_HOST, "this box has another name; its address is always one of its names")
        await refused(scope, receive, send)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address of a URL: without its zone, and as IPv4 if IPv6 only carries it; None for anything else."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


_SAFE = {"GET", "HEAD"}
# A person without a page (a bookmark), and our own pages; not "same-site": another port of this computer is a stranger.
_OWN_SITES = {"none", "same-origin"}

_NAVIGATION = ("navigate", "document")


def is_secure(scope: Scope) -> bool:
    """Return True for a request that came by https, to a proxy that the settings name."""
    return scope.get("scheme") in ("https", "wss")


class OwnPages(Layer):
    """Refuses (403) whatever a foreign page asks by itself; a person may follow its links."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if origins := headers.getlist("origin"):
            # The host was checked before.
            is_ours = origins == [f"{'https' if is_secure(scope) else 'http'}://{headers['host']}"]
        else:
            is_question = scope["type"] == "http" and scope["method"] in _SAFE
            is_ours = headers.get("sec-fetch-site", "none") in _OWN_SITES or (is_question and _follows_link(headers))
        if is_ours:
            await self._app(scope, receive, send)
            return
        await refuse_foreign_page()(scope, receive, send)


def _follows_link(headers: Headers) -> bool:
    """Return False for a request that a page has made by itself, without a person following a link.

    A person who scans a code or follows a link from any site navigates here. Browsers without these headers say nothing
    about it, and neither does any browser that does not trust plain http.
    """
    return (headers.get("sec-fetch-mode", "navigate"), headers.get("sec-fetch-dest", "document")) == _NAVIGATION
