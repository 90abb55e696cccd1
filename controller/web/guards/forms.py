"""The other forms of a request, which are served as the one that they mean."""

import re
from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

_WHOLE = re.compile(rb"http://(?P<host>[^/]+)(?P<path>/.*)?", re.IGNORECASE | re.DOTALL)


class OneForm:
    """Serves HEAD as GET, with its role and its headers, and a whole address as the path in it.

    The body of what HEAD is answered is left out by the server.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        method = {"method": "GET"} if scope.get("method") == "HEAD" else {}
        await self._app({**scope, **method, **_address_in(scope)}, receive, send)


def _address_in(scope: Scope) -> Scope:
    """What a whole address says, in place of what the scope has; empty for a path.

    Its host stands in the place of the header, which means nothing then (RFC 9112, 3.2.2).
    """
    whole = _WHOLE.fullmatch(scope["raw_path"])
    if whole is None:
        return {}
    path = whole["path"] or b"/"
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    return {"path": unquote(path.decode("ascii")), "raw_path": path, "headers": [*others, (b"host", whole["host"])]}
