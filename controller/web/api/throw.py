"""The throw on the baize, read once more for an operator."""

from fastapi import APIRouter

from controller.errors import NotNow
from controller.referee.second_look import SecondLook, look_again
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheReferee, TheSecondLook
from controller.web.security.principal import AuthorizedRoute

router = APIRouter(route_class=AuthorizedRoute)


@router.post("/api/throw/second-look")
@example(lambda: Example(answer=SecondLook((3, 5), (3, 5), "", is_corrected=False)))
async def second_look(referee: TheReferee, looking: TheSecondLook) -> SecondLook:
    """Read the dice of the present throw anew from new frames, and correct the throw if they show something else.

    409: no throw lies there that the camera can read, or it is looked at already.
    """
    if looking.locked():
        raise NotNow("the dice are being looked at just now; wait until that is over")
    async with looking:
        return await look_again(referee)
