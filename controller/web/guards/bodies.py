"""The guard of bodies: JSON, and little of it."""

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.web.refusals import LONGEST_BODY, NOT_JSON, NOT_UNDERSTOOD, refusal, refuse_too_large

_LONGEST_HEAD = 16 * 1024  # bytes of all headers together
_CLOSING = {"Connection": "close"}  # what is left of the body is not read, so nothing can come after it


class SmallJson:
    """Refuses by the headers alone: a body that is no JSON (415), too large (413), or of two lengths (400).

    A body that does not tell its length is counted while it is read, by the application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        refused = _look_at(Headers(scope=scope)) if scope["type"] == "http" else None
        await (refused or self._app)(scope, receive, send)


def _look_at(headers: Headers) -> Response | None:
    """Why a request with these headers is refused; None: it is not."""
    if sum(len(name) + len(value) for name, value in headers.raw) > _LONGEST_HEAD:
        return refusal(431, NOT_UNDERSTOOD, f"the headers are more than {_LONGEST_HEAD // 1024} kB", _CLOSING)
    length, is_chunked = headers.get("content-length"), "transfer-encoding" in headers
    if length is not None and is_chunked:
        # Whoever stands between might believe the other one, and take a part of the body for a request.
        return refusal(400, NOT_UNDERSTOOD, "the body has two lengths", _CLOSING)
    if length is not None and int(length) > LONGEST_BODY:
        return refuse_too_large()
    if (is_chunked or int(length or 0)) and not _is_json(headers):
        return refusal(415, NOT_JSON, "a body must be JSON: Content-Type: application/json", _CLOSING)
    return None


def _is_json(headers: Headers) -> bool:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" and headers.get("content-encoding", "identity") == "identity"
