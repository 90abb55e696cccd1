"""The guard of the page that asks: only our own pages change anything, or watch.

A browser says which page a request comes from; programs need not say anything. Of questions (GET) the browser itself
shows foreign pages no answer, since none of ours allows it.
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.web.refusals import refuse_foreign_page

_SAFE = {"GET", "HEAD"}
# Who asks by himself (a bookmark), and our own pages; not "same-site": another port of this computer is a stranger.
_OWN_SITES = {"none", "same-origin"}

_LED = ("navigate", "document")


class OwnPages:
    """Refuses (403) foreign pages wherever they would do more than ask a question: WebSockets, preflights, all else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        is_question = scope["type"] == "http" and scope["method"] in _SAFE
        if is_question or _is_ours(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        await refuse_foreign_page()(scope, receive, send)


def _is_ours(headers: Headers) -> bool:
    origins = headers.getlist("origin")
    if origins:
        # The host has been looked at before; a page of https has come through somebody else's hands.
        return origins == [f"http://{headers['host']}"]
    return headers.get("sec-fetch-site", "none") in _OWN_SITES


def is_embedded(headers: Headers) -> bool:
    """True for what a page has loaded into itself: no person was led here.

    Who scans a code or follows a link from wherever he was is led here. Browsers without these headers, and all of
    them where they do not trust plain http, say nothing of it.
    """
    return (headers.get("sec-fetch-mode", "navigate"), headers.get("sec-fetch-dest", "document")) != _LED
