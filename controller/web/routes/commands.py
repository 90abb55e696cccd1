"""What people want done in the game."""

from fastapi import APIRouter

from controller.game import ClientCommand, Snapshot
from controller.web.gate import GatedRoute
from controller.web.provided import TheReferee
from controller.web.visitor import TheVisitor

router = APIRouter(route_class=GatedRoute)


@router.post("/api/commands")
async def command(asked: ClientCommand, referee: TheReferee, visitor: TheVisitor) -> Snapshot:
    """Carry out one command, such as {"do": "roll"}; answers with the snapshot after it.

    With the `game_id` and `event` of the snapshot that it was meant for, a late command is refused. With a `key` of its
    own it is done once only, however often it comes.
    """
    return await referee.ask(asked, visitor.caller)
