"""Webhooks: each event is posted as JSON to the addresses of the settings, by a worker of its own for each."""

import asyncio
import logging
from typing import Any
from urllib.parse import urlsplit

import httpx

from controller.cli.bridge.outbox import MOST_WAITING

_PATIENCE_S = 5.0
_TRIES, _AGAIN_S = 3, 2.0

_log = logging.getLogger(__name__)


class Webhook:
    """Posts events to one address in their order. What nobody takes is given up after some tries, and told in the log.

    The log has the name of the host alone: the rest of an address may be a secret.
    Lifetime: until it is cancelled. Concurrency: one event loop.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._host = urlsplit(url).hostname or ""
        self._waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MOST_WAITING)

    def add(self, event: dict[str, Any]) -> None:
        """Have an event posted; it is dropped where too many wait already."""
        if self._waiting.full():
            _log.warning("an event is lost: too many wait host=%s", self._host)
            return
        self._waiting.put_nowait(event)

    async def run(self) -> None:
        """Post what there is, one after the other."""
        async with httpx.AsyncClient(timeout=_PATIENCE_S, follow_redirects=False) as client:
            while True:
                await self._post(client, await self._waiting.get())

    async def _post(self, client: httpx.AsyncClient, event: dict[str, Any]) -> None:
        why = ""
        for number in range(_TRIES):
            if number:
                await asyncio.sleep(_AGAIN_S)
            try:
                answer = await client.post(self._url, json=event)
            except httpx.HTTPError as error:
                why = type(error).__name__
                continue
            if answer.status_code < 300:
                return
            why = str(answer.status_code)
            if answer.status_code < 500:
                break
        _log.warning("an event is lost host=%s answer=%s", self._host, why)
