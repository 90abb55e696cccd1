"""Jobs: the box is calibrated or tested by its daemon, for an operator who is asked and answers."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import ConfigDict, Field

from controller.access import Access
from controller.box import JobOrder
from controller.calibrate import Answer, Holder, JobState
from controller.game import AnswerName
from controller.web.gate import GatedRoute
from controller.web.pages import answer_selftest
from controller.web.provided import TheAccess, TheWorkshop
from controller.web.visitor import TheVisitor, Visitor

_MOST_NAMES, _LONGEST_NAME = 64, 16
_LEAST_SECRET, _MOST_SECRET = 16, 64

router = APIRouter(route_class=GatedRoute)

# A secret that the client makes up: by it the job is his, whoever else may look at it.
Secret = Annotated[str, Field(min_length=_LEAST_SECRET, max_length=_MOST_SECRET)]
Hold = Annotated[str, Header(alias="Job-Hold", min_length=_LEAST_SECRET, max_length=_MOST_SECRET)]
AnyHold = Annotated[str | None, Header(alias="Job-Hold", max_length=_MOST_SECRET)]
Alone = Annotated[bool, Query(description="with its sheet in it, to be kept as a file")]
Name = Annotated[str, Field(max_length=_LONGEST_NAME)]


@dataclass(frozen=True, slots=True)
class JobAnswer:
    """The answer to the question with number `asked`; `names` go with the answer `some`."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    asked: Annotated[int, Field(ge=1)]
    answer: AnswerName
    names: Annotated[tuple[Name, ...], Field(max_length=_MOST_NAMES)] = ()


@dataclass(frozen=True, slots=True)
class JobHold:
    """The secret by which somebody goes on with a job from now on."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    hold: Secret


@router.post("/api/job")
async def begin_job(
    order: JobOrder, workshop: TheWorkshop, hold: Hold, visitor: TheVisitor, access: TheAccess
) -> JobState:
    """Begin to calibrate or test, such as {"kind": "selftest"}.

    409 in a game that is not paused, or beside another job. Ask for it again and again, with the same `Job-Hold`: once
    nobody has for a minute, it ends with nothing changed; at once where the device that holds it is revoked.
    """
    return await workshop.begin(order, _holder(hold, visitor, access))


@router.get("/api/job")
async def see_job(
    workshop: TheWorkshop, since: Annotated[int, Query(ge=0)] = 0, hold: AnyHold = None
) -> JobState | None:
    """The job under way, or the last one, with its lines from number `since` on; null before the first."""
    return workshop.see(since, hold)


@router.post("/api/job/answer")
async def answer_job(given: JobAnswer, workshop: TheWorkshop, hold: Hold) -> JobState:
    """Answer what is asked; 403 for anybody but the holder. The same answer once more is no mistake."""
    return workshop.answer(given.asked, Answer(given.answer, given.names), hold)


@router.post("/api/job/hold")
async def take_over_job(asked: JobHold, workshop: TheWorkshop, visitor: TheVisitor, access: TheAccess) -> JobState:
    """Go on with a job whose holder is away; 403 while he is there."""
    return workshop.take_over(_holder(asked.hold, visitor, access))


@router.delete("/api/job")
async def cancel_job(workshop: TheWorkshop, hold: Hold) -> JobState:
    """End the job with nothing changed; 403 for anybody but the holder. A pause (`park`) ends it for everybody."""
    return workshop.cancel(hold)


@router.get("/api/job/page", response_class=HTMLResponse)
async def job_page(request: Request, workshop: TheWorkshop, *, alone: Alone = False) -> str:
    """The page of the last job, where that was a self-test: the box drawn by its health; else empty."""
    return "" if workshop.examined is None else answer_selftest(request, workshop.examined, alone=alone)


def _holder(hold: str, visitor: Visitor, access: Access) -> Holder:
    """Who asks, as who does a job: at the box's own terminal for good, else as long as his device is an operator's."""
    device = visitor.device
    if visitor.is_local or device is None:
        return Holder(hold, lambda: visitor.is_local)
    return Holder(hold, lambda: access.has_device(device.number))
