"""The client of the daemon's API, for the command line and tests: commands and snapshots over its Unix socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx
from websockets.asyncio.client import unix_connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

from controller.errors import ShutboxError
from controller.game.core.message import Language
from controller.game.core.players import Door
from controller.game.evening.view import EVENING, EveningView
from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.game.table.wire import COMMAND, ClientCommand
from controller.messages.words import DEFAULT_LANGUAGE

# A URL must name a host; over a Unix socket it is never looked up.
_HOST = "box"
_PATIENCE_S = 2.0  # for requests that are still under way when the client is closed


class Refused(ShutboxError):
    """The daemon refused a command; the message is its one line. reason: the code of the refusal."""

    code = "C-306"

    def __init__(self, line: str, reason: str = "") -> None:
        super().__init__(line)
        self.reason = reason


class DaemonGone(ShutboxError):
    """The daemon has ended, or none was running."""

    code = "C-307"


class Client:
    """Talks to the daemon behind one socket.

    A program that uses it sees what every other client of the API sees: the seat at the terminal has no private way in.

    Lifetime: an async context manager.
    Concurrency: one event loop; commands and snapshots may be used at the same time.
    """

    def __init__(self, socket: Path, language: Language = DEFAULT_LANGUAGE, *, seen: str = "") -> None:
        """`language`: of refusals. `seen`: from the last snapshot that this user of the client received earlier."""
        self._socket = socket
        self._seen = seen
        self._sending: set[asyncio.Task[httpx.Response]] = set()
        self._http = httpx.AsyncClient(
            # A local socket is not encrypted, so there is no need to load the certificates, which takes some 20 ms.
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
        """Return the present snapshot. Raises `DaemonGone`."""
        return SNAPSHOT.validate_json((await self._request("GET", "/api/state")).content)

    async def record(self, game_id: int) -> str:
        """Return one game as text. Raises `Refused` or `DaemonGone`."""
        return (await self._request("GET", f"/api/history/{game_id}/record")).text

    async def history(self, game_id: int, offset: int = 0) -> dict[str, Any]:
        """Return one game move by move, from a row on, as GET /api/history/{game_id} has it. Raises as `record`."""
        path = f"/api/history/{game_id}?offset={offset}"
        found: dict[str, Any] = (await self._request("GET", path)).json()
        return found

    async def show_evening(self, view: EveningView) -> None:
        """Have the box show how an evening of many matches stands. Raises `Refused` or `DaemonGone`."""
        await self._request("PUT", "/api/evening", EVENING.dump_json(view))

    async def sit(self, names: Sequence[str], door: Door = "script") -> None:
        """Take these seats in place of the ones held so far; without names, the seats that nobody has taken.

        Commands and snapshots are sent for these seats from now on. Raises `Refused` or `DaemonGone`.
        """
        body = json.dumps({"names": list(names), "door": door}).encode()
        ticket = (await self._request("POST", "/api/seats", body)).json()
        self._http.headers["Authorization"] = f"Bearer {ticket['token']}"

    async def leave(self) -> None:
        """Give the seats back. Raises `Refused` or `DaemonGone`."""
        await self._request("DELETE", "/api/seats")
        self.forget_seat()

    def forget_seat(self) -> None:
        """Forget the seat token; the daemon no longer accepts it, or has given the seat to another client."""
        self._http.headers.pop("Authorization", None)

    async def send(self, command: ClientCommand) -> Snapshot:
        """Send one command and return the snapshot after it. Raises `Refused` or `DaemonGone`.

        The command carries a key of its own, so it can safely be sent again when the answer is lost.
        """
        keyed = replace(command, key=command.key or uuid4().hex)
        body = COMMAND.dump_json(keyed, exclude_none=True)
        request = asyncio.ensure_future(self._request("POST", "/api/commands", body))
        self._sending.add(request)

        def forget(sent: asyncio.Task[httpx.Response]) -> None:
            self._sending.discard(sent)
            # Retrieve the error of a request whose caller has gone: asyncio would report it as never retrieved.
            _ = sent.cancelled() or sent.exception()

        request.add_done_callback(forget)
        # A request that has begun runs to its end even if the caller is cancelled: a stream that is cut off while its
        # answer arrives complains on standard error.
        return SNAPSHOT.validate_json((await asyncio.shield(request)).content)

    async def _request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        try:
            try:
                answer = await self._http.request(method, path, content=body, headers=headers)
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                # The daemon may have closed the kept-alive connection in the meantime, and the answer is lost with it.
                answer = await self._http.request(method, path, content=body, headers=headers)
        except httpx.TransportError as error:
            raise DaemonGone(f"the daemon at {self._socket} does not answer; start it again") from error
        if answer.is_client_error:
            told = answer.json()
            raise Refused(str(told["error"]), str(told["code"]))
        if answer.is_error:
            raise DaemonGone(f"the daemon failed ({answer.status_code}); its log says why")
        return answer

    @asynccontextmanager
    async def snapshots(self) -> AsyncIterator[AsyncIterator[Snapshot]]:
        """Open a stream of snapshots that begins with the present one and ends when the daemon does.

        A later daemon is shown what the last one confirmed as stored: a memory card may have lost it.
        """
        try:
            shown = self._http.headers.get("Authorization")
            headers = {"Authorization": shown} if shown else None
            url = f"ws://{_HOST}/api/snapshots?seen={self._seen}"
            async with unix_connect(str(self._socket), url, additional_headers=headers) as socket:

                async def read() -> AsyncIterator[Snapshot]:
                    with suppress(ConnectionClosed):
                        async for text in socket:
                            snapshot = SNAPSHOT.validate_json(text)
                            self._seen = snapshot.seen
                            yield snapshot

                yield read()
        except (OSError, InvalidMessage) as error:  # it may also have ended before it had answered
            raise DaemonGone(f"no daemon listens at {self._socket}") from error
