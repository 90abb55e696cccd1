"""A client of the API that asks at random, loses answers, repeats itself, and goes on when the daemon comes back."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path

import httpx

from controller.game.core.actions import Action, ActionKind
from controller.game.core.commands import GoOn, Park, Undo
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.game.table.wire import COMMAND
from tests.campaigns.clients.bookkeeper import Bookkeeper, Order, Sent, Sitter

_WAITS_S = (0.0, 0.01, 0.3, 1.0)  # one of them before each wish
_COMES_BACK_S = 0.2  # between two attempts to reach a daemon that is gone
_SIDES = 6
# Of its wishes: something that is not offered; meant for what it saw before; meant for any moment.
_NOT_OFFERED, _OLD, _ANY_MOMENT = 0.1, 0.15, 0.3
_ITS_OWN = 0.7  # of its wishes are for its own seat
_UNHELD = "Cleo"  # the player whose seat nobody takes
PLAYERS = (Player("Ann"), Player("Bob"), Player(_UNHELD))
# Two terminals that hold a seat each, and two scripts that hold none; the third seat is for all of them.
SITTERS = (Sitter("Ann", "terminal"), Sitter("Bob", "terminal"), Sitter(None, "script"), Sitter(None, "script"))
_LOST, _SIDE_BY_SIDE = 0.3, 0.2  # of its commands: the answer is lost; it is sent twice at the same moment
_TORN = 0.2  # of those: the connection breaks amid the command
_TURNS = (0, 40)  # so many turns of the event loop it waits before it goes
_MOST_REPEATS = 3
_JSON = {"Content-Type": "application/json"}
_RARELY: dict[ActionKind, float] = {"park": 0.04, "correct": 0.2, "undo": 0.2}  # all others: 1


class TableClient:
    """One client at the socket of a daemon, that sits as `sitter` says; what it does is drawn from `chance`.

    port: of this computer, at which it asks in place of the socket, as from the network; its seat it takes at the
    socket all the same, where nobody needs a code. hears: False while the power is cut, so that no answer reaches it.

    Lifetime: until `close`. Concurrency: one event loop.
    """

    def __init__(
        self, socket: Path, sitter: Sitter, books: Bookkeeper, chance: random.Random, port: int | None = None
    ) -> None:
        self._socket = socket
        self._port = port
        self._host = "box" if port is None else f"127.0.0.1:{port}"
        self._http = self._connect(port)
        self._sitter = sitter
        self._books = books
        self._chance = chance
        self._before: Snapshot | None = None
        self.hears = True
        self.lost = 0
        self.repeated = 0

    async def sit_down(self) -> None:
        """Take the seat, if it has one; the daemon is there. From the network, nobody does anything without a token."""
        names = [self._sitter.name] if self._sitter.name is not None else []
        if names or self._port is not None:
            async with self._connect(None) as http:
                answer = await http.post(
                    "/api/seats", json={"names": names, "door": self._sitter.door, "role": "player"}
                )
            self._http.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['token']}"

    def _connect(self, port: int | None) -> httpx.AsyncClient:
        socket = str(self._socket) if port is None else None
        return httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(uds=socket), base_url=f"http://{self._host}")

    async def run(self, is_over: Callable[[], bool]) -> None:
        """Ask for this and that until it `is_over`; then it knows of every command how it ended."""
        while not is_over():
            await asyncio.sleep(self._chance.choice(_WAITS_S))
            seen = await self._look()
            order = self.wish(seen)
            if order is not None:
                await self.ask(order)

    async def close(self) -> None:
        """Hang up."""
        await self._http.aclose()

    async def ask(self, order: Order) -> None:
        """Send a command, perhaps several times, and once more until there is an answer."""
        key = f"{self._chance.getrandbits(64):016x}"
        order = replace(order, key=key)
        self._books.sent[key] = Sent(order, self._sitter)
        body = COMMAND.dump_json(order, exclude_none=True)
        for _ in range(self._chance.randint(0, _MOST_REPEATS)):
            self.repeated += 1
            if self._chance.random() < _SIDE_BY_SIDE:
                await asyncio.gather(self._send(key, body), self._send(key, body))
            elif self._chance.random() < _LOST:
                await self._lose(body)
            else:
                await self._send(key, body)
        while not await self._send(key, body):  # noqa: ASYNC110  a daemon that is gone cannot tell that it is back
            await asyncio.sleep(_COMES_BACK_S)

    async def _look(self) -> Snapshot:
        """The present snapshot, or the one before."""
        while True:
            answer = await self._request("GET", "/api/state")
            if answer is not None:
                break
            await asyncio.sleep(_COMES_BACK_S)
        seen, self._before = self._before, SNAPSHOT.validate_json(answer.content)
        return seen if seen is not None and self._chance.random() < _OLD else self._before

    async def _send(self, key: str, body: bytes) -> bool:
        """Send a command and note how it ended; False if that is not known."""
        begun_s = time.monotonic()
        answer = await self._request("POST", "/api/commands", body)
        if answer is None or answer.is_server_error or answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            return False
        self._books.waited_s.append(time.monotonic() - begun_s)
        told = answer.json()
        self._books.note(key, answer.status_code, told["event"] if answer.is_success else 0)
        return True

    async def _lose(self, body: bytes) -> None:
        """Send a command and go before the answer comes, or amid the command: perhaps it was done, perhaps not."""
        self.lost += 1
        headers = {**self._http.headers, **_JSON, "Host": self._host, "Content-Length": str(len(body))}
        lines = [f"{name}: {value}" for name, value in headers.items()]
        text = "\r\n".join(("POST /api/commands HTTP/1.1", *lines, "", "")).encode() + body
        if self._chance.random() < _TORN:
            text = text[: self._chance.randrange(len(text))]
        with suppress(OSError):
            if self._port is None:
                _, writer = await asyncio.open_unix_connection(self._socket)
            else:
                _, writer = await asyncio.open_connection("127.0.0.1", self._port)
            writer.write(text)
            await writer.drain()
            for _ in range(self._chance.randint(*_TURNS)):
                await asyncio.sleep(0)
            writer.close()
            await writer.wait_closed()

    async def _request(self, method: str, path: str, body: bytes | None = None) -> httpx.Response | None:
        """The answer; None where it is lost, or there was nobody to answer."""
        try:
            answer = await self._http.request(method, path, content=body, headers=_JSON)
        except httpx.TransportError:
            return None
        return answer if self.hears else None

    def wish(self, seen: Snapshot) -> Order | None:
        """Something that the snapshot offers, to whomever; now and then something that it does not."""
        its_own = self._chance.random() < _ITS_OWN
        kinds: list[ActionKind] = [each.kind for each in seen.actions if not its_own or self._is_its_own(each)]
        if not kinds or self._chance.random() < _NOT_OFFERED:
            kinds = ["dice", "choose", "accept", "undo", "go_on", "correct"]
        weights = [_RARELY.get(kind, 1.0) for kind in kinds]
        order = self._order(self._chance.choices(kinds, weights)[0], seen)
        if order is None or self._chance.random() < _ANY_MOMENT:
            return order
        return replace(order, game_id=seen.game_id, event=seen.event)

    def _is_its_own(self, action: Action) -> bool:
        """True if this is for the player whose seat it holds, or for one whose seat nobody holds."""
        return any(name in (self._sitter.name, _UNHELD) for name in action.by)

    def _order(self, kind: ActionKind, seen: Snapshot) -> Order | None:
        match kind:
            case "dice":
                return TakeThrow(self._throw(max(seen.dice_allowed, default=2)))
            case "correct":
                return CorrectThrow(self._throw(len(seen.throw) or 2))
            case "choose":
                return Choose(self._chance.choice(seen.moves) if seen.moves else ("front-1",))
            case "accept":
                return AcceptLoss()
            case "undo":
                return Undo()
            case "park":
                return Park()
            case "go_on":
                return GoOn()
        return None

    def _throw(self, count: int) -> tuple[int, ...]:
        return tuple(self._chance.randint(1, _SIDES) for _ in range(count))
