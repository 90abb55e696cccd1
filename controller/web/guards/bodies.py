"""The guard of request bodies: small JSON only."""

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.refusals import LONGEST_BODY, LONGEST_HEAD, NOT_JSON, NOT_UNDERSTOOD, refusal, refuse_too_large

_CLOSING = {"Connection": "close"}  # the rest of the body is not read, so no further request can follow it


class SmallJson:
    """Refuses a request by its headers if the body is not JSON (415), too large (413), or has two lengths (400).

    A body without a declared length is counted while the application reads it (413 as well).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if (refused := _refused_by(Headers(scope=scope))) is not None:
            await refused(scope, receive, send)
            return
        read = 0

        async def receive_counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > LONGEST_BODY:
                raise HTTPException(413)
            return message

        await self._app(scope, receive_counted, send)


def _refused_by(headers: Headers) -> Response | None:
    """Return the refusal of a request with these headers; None if it is accepted."""
    if sum(len(name) + len(value) for name, value in headers.raw) > LONGEST_HEAD:
        return refusal(431, NOT_UNDERSTOOD, f"the headers are more than {LONGEST_HEAD // 1024} kB", _CLOSING)
    length, is_chunked = headers.get("content-length"), "transfer-encoding" in headers
    if length is not None and is_chunked:
        # A proxy in between might believe the other length, and take part of the body for a request.
        return refusal(400, NOT_UNDERSTOOD, "the body has two lengths", _CLOSING)
    if length is not None and int(length) > LONGEST_BODY:
        return refuse_too_large()
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = kind == "application/json" and headers.get("content-encoding", "identity") == "identity"
    if (is_chunked or int(length or 0)) and not is_json:
        return refusal(415, NOT_JSON, "a body must be JSON: Content-Type: application/json")
    return None
