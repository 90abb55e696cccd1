"""The simulated box: its present faults, the faults it can be given, and the acts of hands that reach into it."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends

from controller.box.simulated_actions import CutPower, FaultForm, Hands, PressButton, SimulatedAction, SimulatedView
from controller.errors import NotThere, NotYours
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheAccess, TheReferee
from controller.web.security.principal import AuthorizedRoute, ThePrincipal

# Long enough to pause the game, and too short to confirm a pairing that begins while the press is under way.
_LONGEST_PRESS_S = 2.0

router = APIRouter(route_class=AuthorizedRoute)


@dataclass(frozen=True, slots=True)
class SimulatedPage:
    """A simulated box as it really is now, and every fault that it can be given."""

    now: SimulatedView
    forms: tuple[FaultForm, ...]


async def find_hands(referee: TheReferee) -> Hands:
    """Return the hands at a simulated box. Raises `NotThere` for a real one."""
    if referee.table.hands is None:
        raise NotThere("this box is real; `shutbox play --mock` has a simulated one")
    return referee.table.hands


TheHands = Annotated[Hands, Depends(find_hands)]


_JAMMED = SimulatedView(
    "classic-9", {"front-1": "OPEN", "front-7": "BETWEEN"}, "open", (5, 3), ("camera:frozen", "jam:front-7")
)


@router.get("/api/simulated")
@example(lambda: Example(answer=SimulatedPage(_JAMMED, (FaultForm("lid", ("closed",), "The lid is down."),))))
async def simulated(hands: TheHands) -> SimulatedPage:
    """A simulated box as eyes see it, and the faults that it can be given; 404 if the box is real."""
    return SimulatedPage(await hands.look(), hands.forms())


@router.post("/api/simulated/deeds")
@example(lambda: Example(request={"do": "break", "fault": "jam:front-7"}, answer=_JAMMED))
async def do_deed(
    asked: SimulatedAction, referee: TheReferee, hands: TheHands, access: TheAccess, principal: ThePrincipal
) -> SimulatedView:
    """Do one deed, such as {"do": "break", "fault": "jam:front-7"}; answers with the box after it.

    403 for a press that could confirm a pairing, unless it comes from the box's own terminal. 404 if the box is real,
    422 for acts that are physically impossible, and 409 for a power cut during a calibration or test.
    After a power cut the game resumes as after a start: it asks about every tile that hands have moved meanwhile.
    """
    # Presses in quick succession count as one long press, so while a device waits no press at all is safe.
    may_confirm = isinstance(asked, PressButton) and (access.waiting is not None or asked.seconds > _LONGEST_PRESS_S)
    if may_confirm and not principal.is_local:
        raise NotYours(
            f"while a device waits to be paired nobody presses the button from away, and never for more than "
            f"{_LONGEST_PRESS_S:.0f} seconds; say `shutbox pair NUMBER` at the box"
        )
    if isinstance(asked, CutPower):
        await referee.cut_power(asked.seconds)
        return await hands.look()
    seen = await hands.do(asked)
    referee.note_broken()
    return seen
