"""Jobs: the daemon calibrates or tests the box, asking an operator who answers."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import ConfigDict, Field

from controller.access.access import Access
from controller.box.job_requests import JobOrder, ServoOrder
from controller.errors import NotThere
from controller.game.core.sight import AnswerName, JobQuestion, JobView
from controller.jobs.dialog import Answer
from controller.jobs.jobs import Holder, JobState, Line
from controller.web.api.examples import Example, example
from controller.web.api.pictures import Jpeg
from controller.web.dependencies import MOST_SECRET, AnyHold, TheAccess, TheJobs
from controller.web.pages.selftest import answer_selftest
from controller.web.security.principal import AuthorizedRoute, Principal, ThePrincipal
from hardware.tiles import TileId

_MOST_NAMES, _LONGEST_NAME = 64, 16
_LEAST_SECRET = 16

router = APIRouter(route_class=AuthorizedRoute)

# A secret that the client chooses: it makes the client the holder of the job, whoever else may look at it.
Secret = Annotated[str, Field(min_length=_LEAST_SECRET, max_length=MOST_SECRET)]
Hold = Annotated[str, Header(alias="Job-Hold", min_length=_LEAST_SECRET, max_length=MOST_SECRET)]
Alone = Annotated[bool, Query(description="as a self-contained file, with its style sheets")]
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
    """The secret by which a client continues a job from now on."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    hold: Secret


_HELD = {"Job-Hold": "a-secret-of-my-own"}


def _job_state() -> JobState:
    question = JobQuestion("Save 1 of 1 tiles?", ("yes", "no"))
    return JobState(
        JobView("servos", "front-7 (1 of 1): good: open 994 us, shut 1979 us.", 1.0, question),
        asked=2,
        lines=(Line("said", "front-7: looking for its ends ...", "dim"),),
        count=8,
        is_yours=True,
        draft={
            "tiles": {"front-7": {"open_us": 789, "rest_us": 1581, "shut_us": 1993, "verdict": "good"}},
            "failed": {},
        },
    )


@router.post("/api/job")
@example(lambda: Example(_HELD, request=ServoOrder((TileId(1, 7),)), answer=_job_state()))
async def begin_job(order: JobOrder, jobs: TheJobs, hold: Hold, principal: ThePrincipal, access: TheAccess) -> JobState:
    """Begin to calibrate or test, such as {"kind": "selftest"}.

    409 in a game that is not paused, or during another job. Poll it regularly with the same `Job-Hold`: after a minute
    without a request it ends with nothing changed, and at once if the device that holds it is revoked.
    """
    return await jobs.begin(order, _holder(hold, principal, access))


@router.get("/api/job")
@example(lambda: Example({"since": 7, **_HELD}, answer=_job_state()))
async def see_job(jobs: TheJobs, since: Annotated[int, Query(ge=0)] = 0, hold: AnyHold = None) -> JobState | None:
    """The job under way, or the last one, with its lines from number `since` on; null before the first."""
    return jobs.see(since, hold)


@router.post("/api/job/answer")
@example(lambda: Example(_HELD, request=JobAnswer(2, "yes"), answer=_job_state()))
async def answer_job(given: JobAnswer, jobs: TheJobs, hold: Hold) -> JobState:
    """Answer the question; 403 for anybody but the holder. Sending the same answer twice is allowed."""
    return jobs.answer(given.asked, Answer(given.answer, given.names), hold)


@router.post("/api/job/hold")
@example(lambda: Example(request=JobHold(_HELD["Job-Hold"]), answer=_job_state()))
async def take_over_job(asked: JobHold, jobs: TheJobs, principal: ThePrincipal, access: TheAccess) -> JobState:
    """Continue a job whose holder is away; 403 while the holder is present."""
    return jobs.take_over(_holder(asked.hold, principal, access))


@router.delete("/api/job")
@example(lambda: Example(_HELD, answer=_job_state()))
async def cancel_job(jobs: TheJobs, hold: Hold) -> JobState:
    """End the job with nothing changed; 403 for anybody but the holder. A pause (`park`) ends it for everybody."""
    return jobs.cancel(hold)


@router.get("/api/job/page", response_class=HTMLResponse)
@example(lambda: Example({"alone": True}))
async def job_page(request: Request, jobs: TheJobs, *, alone: Alone = False) -> str:
    """The page of the last job, if it was a self-test: the box drawn by its health; empty otherwise."""
    return "" if jobs.examined is None else answer_selftest(request, jobs.examined, alone=alone)


@router.get("/api/job/picture", response_class=Jpeg)
@example(lambda: Example())
async def job_picture(jobs: TheJobs) -> Response:
    """What the camera sees in the job under way, as JPEG, with markers, field and sheet outlined; 404 without any."""
    if jobs.seen is None:
        raise NotThere("nothing looks through the camera just now")
    # In a thread: finding the field takes a tenth of a second on a small computer.
    seen = jobs.seen
    return Jpeg(await asyncio.to_thread(lambda: seen.jpeg), headers={"Cache-Control": "no-store"})


def _holder(hold: str, principal: Principal, access: Access) -> Holder:
    """Return the holder of a job: for good at the box's own terminal, else as long as the device is an operator's."""
    device = principal.device
    if principal.is_local or device is None:
        return Holder(hold, lambda: principal.is_local)
    return Holder(hold, lambda: access.has_device(device.number))
