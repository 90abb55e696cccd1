"""Other forms of a request, which are served as the plain form that they stand for."""

import re
from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

_ABSOLUTE = re.compile(rb"http://(?P<host>[^/]+)(?P<path>/.*)?", re.IGNORECASE | re.DOTALL)


class NormalForm:
    """Serves HEAD as GET, with its role and headers, and an absolute URL as the path in it.

    The server leaves out the body of the answer to HEAD.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        plain = {**scope, "method": "GET"} if scope.get("method") == "HEAD" else {**scope}
        if absolute := _ABSOLUTE.fullmatch(scope["raw_path"]):
            # The host of an absolute URL replaces the header, which then has no meaning (RFC 9112, 3.2.2).
            path = absolute["path"] or b"/"
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            plain["path"], plain["raw_path"] = unquote(path.decode("ascii")), path
            plain["headers"] = [*others, (b"host", absolute["host"])]
        await self._app(plain, receive, send)
