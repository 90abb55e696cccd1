"""Sitting down at the table, and giving the seats back."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Response
from pydantic import ConfigDict, Field

from controller.errors import NotYours, WrongCode
from controller.game import LONGEST_NAME, MOST_PLAYERS, Role
from controller.referee import Ticket
from controller.web.cookies import SEAT, forget_cookie, set_cookie
from controller.web.gate import GatedRoute
from controller.web.provided import TheAccess, TheReferee
from controller.web.roles import reaches
from controller.web.visitor import TheVisitor, Visitor

router = APIRouter(route_class=GatedRoute)

_LONGEST_CODE = 64
SeatName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Who sits down, through which of people's doors. code: that of the game, for who comes from the network."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    names: Annotated[tuple[SeatName, ...], Field(max_length=MOST_PLAYERS, fail_fast=True)] = ()
    door: Literal["terminal", "page", "script"] = "script"
    role: Role = "player"
    code: Annotated[str, Field(max_length=_LONGEST_CODE)] = ""


@router.post("/api/seats")
async def sit(
    asked: SeatRequest, referee: TheReferee, visitor: TheVisitor, access: TheAccess, response: Response
) -> Ticket:
    """Sit down; answers with a token. 409: somebody else sits there. 403, 429: a wrong code, or too many of them.

    No names: be at the table, with the seats that nobody has taken. With the token that one has: other seats in place
    of those.
    """
    by_code = _needs_code(asked, visitor)
    if by_code:
        await access.check_code(asked.code, visitor.address)
    # At the box's own terminal nobody is let in for a device.
    device = visitor.device.number if visitor.device and not visitor.is_local else None
    ticket = await referee.seating.sit(
        asked.names, asked.door, asked.role, visitor.token, by_code=by_code, device=device
    )
    if asked.door == "page":
        set_cookie(response, SEAT, ticket.token)
    return ticket


@router.delete("/api/seats", status_code=204)
async def leave(referee: TheReferee, visitor: TheVisitor, response: Response) -> None:
    """Give the seats back."""
    await referee.seating.leave(visitor.token or "")
    forget_cookie(response, SEAT)


def _needs_code(asked: SeatRequest, visitor: Visitor) -> bool:
    """True for who is not at the table yet, nor an operator.

    Raises `NotYours` for who makes himself an operator, and `WrongCode` for who says no code where he has to.
    """
    if asked.role == "operator" and visitor.role != "operator":
        raise NotYours("nobody sits down as an operator; say the PIN of this box, or pair this device")
    if reaches(visitor.role, "player"):
        return False
    if not asked.code:
        raise WrongCode("say the code of this game too; `shutbox code` shows it at the box")
    return True
