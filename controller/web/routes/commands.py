"""The commands of players in the game."""

from fastapi import APIRouter

from controller.game.shutbox.commands import RollDice
from controller.game.table.snapshot import Snapshot
from controller.game.table.wire import COMMAND, ClientCommand
from controller.web.gate import AuthorizedRoute
from controller.web.provided import TheReferee
from controller.web.routes.examples import EVENT, GAME_ID, Example, example, example_state
from controller.web.visitor import ThePrincipal

router = APIRouter(route_class=AuthorizedRoute)


def _command_example() -> Example:
    roll = RollDice(game_id=GAME_ID, event=EVENT, key="a-key-of-my-own")
    return Example(request=COMMAND.dump_python(roll, mode="json", exclude_none=True), answer=example_state())


@router.post("/api/commands", tags=["commands"])
@example(_command_example)
async def command(asked: ClientCommand, referee: TheReferee, principal: ThePrincipal) -> Snapshot:
    """Carry out one command, such as {"do": "roll"}; answers with the snapshot after it.

    With the `game_id` and `event` of the snapshot that it was meant for, a late command is refused. With a `key` of its
    own it is carried out only once, however often it is sent.
    """
    return await referee.ask(asked, principal.caller)
