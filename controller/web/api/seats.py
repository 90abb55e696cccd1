"""Sitting down at the table, and giving the seats back."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import ConfigDict, Field

from controller.errors import NotYours, WrongCode
from controller.game.core.actions import Role
from controller.game.core.players import LONGEST_NAME, MOST_PLAYERS
from controller.referee.seats import Ticket
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheAccess, TheReferee
from controller.web.roles import reaches
from controller.web.security.principal import SEAT, AuthorizedRoute, ThePrincipal, forget_cookie, set_cookie

router = APIRouter(route_class=AuthorizedRoute)

_LONGEST_CODE = 64
SeatName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """The seats to take, and the kind of client. code: that of the day, for clients from the network.

    next_game: while a game is on, take seats in the one after it.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    names: Annotated[tuple[SeatName, ...], Field(max_length=MOST_PLAYERS, fail_fast=True)] = ()
    door: Literal["terminal", "page", "script", "remote"] = "script"
    role: Role = "player"
    code: Annotated[str, Field(max_length=_LONGEST_CODE)] = ""
    next_game: bool = False


@router.post("/api/seats")
@example(
    lambda: Example(
        request=SeatRequest(("Ann",), code="H7K2MP"), answer=Ticket("the-token-of-this-seat", "player", ("Ann",))
    )
)
async def sit(
    asked: SeatRequest,
    referee: TheReferee,
    principal: ThePrincipal,
    access: TheAccess,
    request: Request,
    response: Response,
) -> Ticket:
    """Sit down; answers with a token. 409: the seat is taken. 403, 429: a wrong code, or too many of them.

    Without names: be at the table, with the seats that nobody has taken. With a seat token: exchange its seats for
    these.
    """
    if asked.role == "operator" and principal.role != "operator":
        raise NotYours("nobody sits down as an operator; say the PIN of this box, or pair this device")
    if asked.door == "remote" and not principal.is_local:
        raise NotYours("only a program at this computer plays for another box")
    by_code = not reaches(principal.role, "player")
    if by_code and not asked.code:
        raise WrongCode("say today's code too; `shutbox code` shows it at the box")
    if by_code:
        await access.check_code(asked.code, principal.address)
    # At the box's own terminal a seat does not depend on a device.
    device = principal.device.number if principal.device and not principal.is_local else None
    ticket = await referee.seating.sit(
        asked.names,
        asked.door,
        asked.role,
        principal.token,
        next_game=asked.next_game,
        by_code=by_code,
        device=device,
    )
    if asked.door == "page":
        set_cookie(request, response, SEAT, ticket.token)
    return ticket


@router.delete("/api/seats", status_code=204)
async def leave(referee: TheReferee, principal: ThePrincipal, request: Request, response: Response) -> None:
    """Give the seats back."""
    await referee.seating.leave(principal.token or "")
    forget_cookie(request, response, SEAT)
