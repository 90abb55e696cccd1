"""The present state of the table, its stream of snapshots, and the commands of players."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect

from controller.game.shutbox.commands import RollDice
from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.game.table.wire import COMMAND, ClientCommand
from controller.web.api.examples import EVENT, GAME_ID, Example, example, example_state
from controller.web.dependencies import TheReferee
from controller.web.security.principal import AuthorizedRoute, ThePrincipal
from controller.web.watching import next_snapshot, serve_watcher

_MOVES_A_PAGE = 256

router = APIRouter(route_class=AuthorizedRoute)


@dataclass(frozen=True, slots=True)
class MovesPage:
    """Some of the moves that may be chosen after an event of a game, in order; `count` is the number of all moves."""

    game_id: int
    event: int
    count: int
    moves: tuple[tuple[str, ...], ...]


@router.get("/api/state")
@example(lambda: Example(answer=example_state()))
async def state(referee: TheReferee) -> Snapshot:
    """The present snapshot: the game, the tiles, and the possible actions with their players, all in words as well."""
    return referee.snapshot


@router.get("/api/moves")
@example(lambda: Example({"offset": 0}, answer=MovesPage(GAME_ID, EVENT, 2, (("front-8",), ("front-3", "front-5")))))
async def moves(referee: TheReferee, offset: Annotated[int, Query(ge=0)] = 0) -> MovesPage:
    """At most 256 moves from `offset` on; a snapshot has the first 64."""
    found, now = referee.moves(), referee.snapshot
    return MovesPage(now.game_id, now.event, len(found), found[offset : offset + _MOVES_A_PAGE])


@router.post("/api/commands", tags=["commands"])
@example(
    lambda: Example(
        request=COMMAND.dump_python(
            RollDice(game_id=GAME_ID, event=EVENT, key="a-key-of-my-own"), mode="json", exclude_none=True
        ),
        answer=example_state(),
    )
)
async def command(asked: ClientCommand, referee: TheReferee, principal: ThePrincipal) -> Snapshot:
    """Carry out one command, such as {"do": "roll"}; answers with the snapshot after it.

    With the `game_id` and `event` of the snapshot that it was meant for, a late command is refused. With a `key` of its
    own it is carried out only once, however often it is sent; another command of the same client with that key is
    refused (422).
    """
    return await referee.ask(asked, principal.caller)


PATH = "/api/snapshots"


class SnapshotJson:
    """The JSON of the last snapshot, made once: for each of fifty watchers it would hold the event loop up."""

    def __init__(self) -> None:
        self._made: tuple[Snapshot, str] | None = None

    def of(self, snapshot: Snapshot) -> str:
        """Return the snapshot as JSON."""
        if self._made is None or self._made[0] is not snapshot:
            self._made = (snapshot, SNAPSHOT.dump_json(snapshot).decode())
        return self._made[1]


@router.websocket(PATH)
async def snapshots(socket: WebSocket, referee: TheReferee) -> None:
    """Send snapshots as long as the client listens; with a token it counts as being at the table."""
    texts: SnapshotJson = socket.app.state.texts

    async def send_all(queue: asyncio.Queue[Snapshot]) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                await socket.send_text(texts.of(await next_snapshot(queue)))

    await serve_watcher(socket, referee, PATH, send_all)
