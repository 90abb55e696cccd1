"""The guard of the page that sends a request: only our own pages may change anything, or watch.

A browser says which page a request comes from; programs need not say anything. Answers to plain questions (GET) are
withheld from foreign pages by the browser itself, since no answer of ours allows them.
"""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.web.refusals import refuse_foreign_page

_SAFE = {"GET", "HEAD"}
# A person without a page (a bookmark), and our own pages; not "same-site": another port of this computer is a stranger.
_OWN_SITES = {"none", "same-origin"}

_NAVIGATION = ("navigate", "document")


class OwnPages:
    """Refuses (403) foreign pages everything but plain questions: WebSockets, preflights, all other methods."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if origins := headers.getlist("origin"):
            # The host was checked before; a page that came by https went through somebody else's hands.
            is_ours = origins == [f"http://{headers['host']}"]
        else:
            is_ours = headers.get("sec-fetch-site", "none") in _OWN_SITES
        is_question = scope["type"] == "http" and scope["method"] in _SAFE
        if is_question or is_ours:
            await self._app(scope, receive, send)
            return
        await refuse_foreign_page()(scope, receive, send)


def is_embedded(headers: Headers) -> bool:
    """Return True for a request that a page has made by itself, without a person following a link.

    A person who scans a code or follows a link from any site navigates here. Browsers without these headers say nothing
    about it, and neither does any browser that does not trust plain http.
    """
    return (headers.get("sec-fetch-mode", "navigate"), headers.get("sec-fetch-dest", "document")) != _NAVIGATION
