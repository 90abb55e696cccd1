"""The client of the daemon's API, for the command line and tests: commands and snapshots over its Unix socket."""

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import uuid4

import httpx
from websockets.asyncio.client import unix_connect
from websockets.exceptions import ConnectionClosed

from controller.errors import ShutboxError
from controller.game import COMMAND, SNAPSHOT, ClientCommand, Door, Snapshot
from controller.words import DEFAULT_LANGUAGE, Language

# A host must stand in a URL; over a Unix socket nobody looks it up.
_HOST = "box"
_PATIENCE_S = 2.0  # for requests that are still out when the client is closed


class Refused(ShutboxError):
    """The daemon refused a command; the message is its one line."""

    code = "C-306"


class DaemonGone(ShutboxError):
    """The daemon ended, or none was there."""

    code = "C-307"


class Client:
    """Speaks to the daemon behind one socket.

    A program that uses it sees what any other client of the API sees: the seat at the terminal has no way of its own.

    Lifetime: an async context manager.
    Concurrency: one event loop; commands and snapshots may be used side by side.
    """

    def __init__(self, socket: Path, language: Language = DEFAULT_LANGUAGE, *, seen: str = "") -> None:
        """language: in which refusals are told. seen: of the last snapshot that whoever uses it was sent before."""
        self._socket = socket
        self._seen = seen
        self._sending: set[asyncio.Task[Snapshot]] = set()
        self._http = httpx.AsyncClient(
            # Nothing is encrypted on a socket of this machine: the certificates, some 20 ms, need not be read for it.
            transport=httpx.AsyncHTTPTransport(uds=str(socket), verify=False),
            base_url=f"http://{_HOST}",
            headers={"Content-Type": "application/json", "Accept-Language": language},
            timeout=10.0,
        )

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._sending:
            await asyncio.wait(self._sending, timeout=_PATIENCE_S)
        await self._http.aclose()

    async def state(self) -> Snapshot:
        """The present snapshot. Raises `DaemonGone`."""
        return _snapshot_in(await self._request("GET", "/api/state"))

    async def sit(self, names: Sequence[str], door: Door = "script") -> None:
        """Sit down with these seats, in place of those one has; none: with those that nobody has taken.

        From now on commands and snapshots are this seat's. Raises `Refused` or `DaemonGone`.
        """
        body = json.dumps({"names": list(names), "door": door}).encode()
        ticket = (await self._request("POST", "/api/seats", body)).json()
        self._http.headers["Authorization"] = f"Bearer {ticket['token']}"

    async def leave(self) -> None:
        """Give the seats back. Raises `Refused` or `DaemonGone`."""
        await self._request("DELETE", "/api/seats")
        self.forget_seat()

    def forget_seat(self) -> None:
        """Be nobody in particular: the daemon knows this seat no more, or another holds it now."""
        self._http.headers.pop("Authorization", None)

    async def send(self, command: ClientCommand) -> Snapshot:
        """Send one command; the snapshot after it. Raises `Refused` or `DaemonGone`.

        It bears a key of its own, so that it may be sent again when the answer is lost.
        """
        keyed = replace(command, key=command.key or uuid4().hex)
        body = COMMAND.dump_json(keyed, exclude_none=True)
        request = asyncio.ensure_future(self._order(body))
        self._sending.add(request)
        request.add_done_callback(self._forget)
        # Once begun it runs to its end, also if the caller has left: a stream that is cut off while its answer
        # arrives complains of it on standard error.
        return await asyncio.shield(request)

    def _forget(self, request: asyncio.Task[Snapshot]) -> None:
        self._sending.discard(request)
        # Nobody may be left to hear of a refusal.
        _ = request.cancelled() or request.exception()

    async def _order(self, body: bytes) -> Snapshot:
        return _snapshot_in(await self._request("POST", "/api/commands", body))

    async def _request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        try:
            answer = await self._ask_twice(method, path, body, headers)
        except httpx.TransportError as error:
            raise DaemonGone(f"the daemon at {self._socket} does not answer; start it again") from error
        if answer.is_client_error:
            raise Refused(str(answer.json()["error"]))
        if answer.is_error:
            raise DaemonGone(f"the daemon failed ({answer.status_code}); its log says why")
        return answer

    async def _ask_twice(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str] | None
    ) -> httpx.Response:
        """A connection that was kept open may have been closed meanwhile, and an answer be lost with it."""
        try:
            return await self._http.request(method, path, content=body, headers=headers)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            return await self._http.request(method, path, content=body, headers=headers)

    @asynccontextmanager
    async def snapshots(self) -> AsyncIterator[AsyncIterator[Snapshot]]:
        """A stream of snapshots, beginning with the present one. It ends when the daemon does.

        The next daemon is shown what the last one said to be kept: a card may have lost it.
        """
        try:
            shown = self._http.headers.get("Authorization")
            headers = {"Authorization": shown} if shown else None
            url = f"ws://{_HOST}/api/snapshots?seen={self._seen}"
            async with unix_connect(str(self._socket), url, additional_headers=headers) as socket:
                yield (self._note(SNAPSHOT.validate_json(text)) async for text in _read_until_closed(socket))
        except OSError as error:
            raise DaemonGone(f"no daemon listens at {self._socket}") from error

    def _note(self, snapshot: Snapshot) -> Snapshot:
        self._seen = snapshot.seen
        return snapshot


def _snapshot_in(answer: httpx.Response) -> Snapshot:
    return SNAPSHOT.validate_json(answer.content)


async def _read_until_closed(socket: AsyncIterable[str | bytes]) -> AsyncIterator[str | bytes]:
    try:
        async for text in socket:
            yield text
    except ConnectionClosed:
        return
