"""The guard of bodies: JSON, and little of it."""

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.refusals import LONGEST_BODY, LONGEST_HEAD, NOT_JSON, NOT_UNDERSTOOD, refusal, refuse_too_large

_CLOSING = {"Connection": "close"}  # what is left of the body is not read, so nothing can come after it


class SmallJson:
    """Refuses by the headers alone: a body that is no JSON (415), too large (413), or of two lengths (400).

    A body that does not tell its length is counted while the application reads it (413 as well).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif (refused := _look_at(Headers(scope=scope))) is not None:
            await refused(scope, receive, send)
        else:
            await self._app(scope, _count(receive), send)


def _count(receive: Receive) -> Receive:
    read = 0

    async def receive_counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > LONGEST_BODY:
            raise HTTPException(413)
        return message

    return receive_counted


def _look_at(headers: Headers) -> Response | None:
    """Why a request with these headers is refused; None: it is not."""
    if sum(len(name) + len(value) for name, value in headers.raw) > LONGEST_HEAD:
        return refusal(431, NOT_UNDERSTOOD, f"the headers are more than {LONGEST_HEAD // 1024} kB", _CLOSING)
    length, is_chunked = headers.get("content-length"), "transfer-encoding" in headers
    if length is not None and is_chunked:
        # Whoever stands between might believe the other one, and take a part of the body for a request.
        return refusal(400, NOT_UNDERSTOOD, "the body has two lengths", _CLOSING)
    if length is not None and int(length) > LONGEST_BODY:
        return refuse_too_large()
    if (is_chunked or int(length or 0)) and not _is_json(headers):
        return refusal(415, NOT_JSON, "a body must be JSON: Content-Type: application/json")
    return None


def _is_json(headers: Headers) -> bool:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" and headers.get("content-encoding", "identity") == "identity"
