"""Sitting down at the table, and giving the seats back."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from controller.game import LONGEST_NAME, MOST_PLAYERS, Role
from controller.referee import Ticket
from controller.web.gate import GatedRoute
from controller.web.provided import TheReferee
from controller.web.visitor import TheVisitor

router = APIRouter(route_class=GatedRoute)

SeatName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Who sits down, through which of people's doors."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    names: Annotated[tuple[SeatName, ...], Field(max_length=MOST_PLAYERS, fail_fast=True)] = ()
    door: Literal["terminal", "page", "script"] = "script"
    role: Role = "player"


@router.post("/api/seats")
async def sit(asked: SeatRequest, referee: TheReferee, visitor: TheVisitor) -> Ticket:
    """Sit down; answers with a token. 409: somebody else sits there.

    No names: be at the table, with the seats that nobody has taken. With the token that one has: other seats in place
    of those.
    """
    return await referee.sit(asked.names, asked.door, asked.role, visitor.token)


@router.delete("/api/seats", status_code=204)
async def leave(referee: TheReferee, visitor: TheVisitor) -> None:
    """Give the seats back."""
    await referee.leave(visitor.token or "")
