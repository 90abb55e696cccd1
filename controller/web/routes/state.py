"""The present state of the table: the snapshot, and all moves that may be chosen."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query

from controller.game.table.snapshot import Snapshot
from controller.web.gate import AuthorizedRoute
from controller.web.provided import TheReferee
from controller.web.routes.examples import EVENT, GAME_ID, Example, example, example_state

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
