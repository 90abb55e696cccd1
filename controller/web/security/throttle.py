"""The throttle: the check before all others, of how much an address and all strangers together ask."""

import asyncio
import math
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from controller.errors import TooBusy
from controller.web.refusals import refusal
from controller.web.security.guards import Layer
from controller.web.security.rates import TOO_MUCH, Limits, Rates

# A page that is opened for the first time asks for twenty files, which cost little and are kept.
_FILES, _COST_OF_FILE = "/static/", 0.2


class Throttle(Layer):
    """Refuses (429) what is asked beyond the limits, and lets strangers' requests begin one by one.

    known_as: the name of the client of a request, for a player or an operator; None for a stranger.
    """

    def __init__(self, app: ASGIApp, limits: Limits, known_as: Callable[[Scope], str | None]) -> None:
        super().__init__(app)
        self._rates = Rates(limits, asyncio.get_running_loop().time())
        self._limits = limits
        self._known_as = known_as
        self._one_by_one = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        now_s = asyncio.get_running_loop().time()
        name = self._known_as(scope)
        is_file = scope["path"].startswith(_FILES)
        cost = _COST_OF_FILE if is_file else 1.0
        wait_s = self._rates.admit(name or scope["client"][0], now_s, is_known=name is not None, cost=cost)
        if wait_s:
            # The next connection is counted by the acceptor.
            headers = {"Connection": "close", "Retry-After": str(math.ceil(wait_s))}
            await refusal(429, TooBusy.code, TOO_MUCH, headers)(scope, receive, send)
            return
        if name is None and not is_file:
            async with self._one_by_one:
                await asyncio.sleep(self._limits.apart_s)
        await self._app(scope, receive, send)
