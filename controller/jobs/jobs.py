"""One job of the daemon: a guided session whose output is stored for clients, and whose answers come from a client."""

import asyncio
import io
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from controller.box.job_requests import JobOrder
from controller.errors import BadOrder, NotNow, NotYours, TooLate
from controller.game.core.sight import JobKind, JobQuestion, JobView
from controller.jobs.dialog import CANCELLED, NOTHING_CHANGED, Answer, Result, Session
from controller.runtime.output import TROUBLES, Exit, describe_trouble
from controller.runtime.tokens import Endings
from hardware.errors import BoxError
from hardware.phrase import phrase
from vision.errors import VisionError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from controller.referee.referee import Referee
    from firmware.selftest.wear import SelftestResult
    from vision.calibration.viewfinder import Viewfinder

_log = logging.getLogger(__name__)

AWAY_S = 20.0  # a holder who has not polled their job for this long is away, and another may take it over
GONE_S = 60.0  # after this long the job ends with nothing changed, because nobody watches what moves
_COLUMNS = 80
_NOBODY = phrase("Nobody has asked after this for {seconds:.0f} seconds.", seconds=GONE_S)
_REVOKED = phrase("The person who was doing this is no longer an operator.")
_FAILED = phrase("The program of the box failed; its log says why. {changed}", changed=NOTHING_CHANGED)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a job. style: Rich's name of a colour or a weight.

    said: on the way. keys: what to type, for a terminal that follows the job. shown: part of its result.
    """

    kind: Literal["said", "keys", "shown"]
    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class JobState:
    """A job as it stands, for whoever asks.

    view: as the snapshot has it. asked: the number of the question, with which it is answered. lines: those from the
    one on that was asked for; count: of all. draft: the result before it is saved. is_over, status, answer: its end,
    with the exit status and the answer that a command of the terminal has. is_yours: True for who may answer.
    """

    view: JobView
    asked: int
    lines: tuple[Line, ...]
    count: int
    is_yours: bool
    draft: Mapping[str, Any] | None = None
    is_over: bool = False
    status: int | None = None
    answer: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """The operator of a job: the secret with which they answer it, and a check that they still have the right to."""

    hold: str
    may: Callable[[], bool]


class Job:
    """One guided session as a job: it implements the session's dialog.

    The operator who began it answers it, with their secret (`hold`); polling with that secret shows that they are
    there. When their right to move metal ends, the job ends too.
    """

    def __init__(
        self, kind: JobKind, session: Session, holder: Holder, endings: Endings, tell: Callable[[], None]
    ) -> None:
        """endings: signals that rights have ended. tell: called whenever the job has something new to show."""
        self.view = JobView(kind)
        self.result: Result | None = None
        self.seen: Viewfinder | None = None  # what the camera saw last
        self._session = session
        self._holder = holder
        self._endings = endings
        self._tell = tell
        self._now_s = asyncio.get_running_loop().time
        self._heard_s = self._now_s()
        self._lines: list[Line] = []
        self._draft: Mapping[str, Any] | None = None
        self._asked = 0
        self._answer: asyncio.Future[Answer] | None = None  # set while a question waits for its answer
        self._given: tuple[int, Answer] | None = None  # the last answer, to recognize a repeated one
        self._is_taken = False  # the optional question was accepted and not yet noticed
        self._is_saved = False  # from here on nothing can be cancelled
        self._is_stopped = False
        self._work: asyncio.Task[Result] | None = None

    async def run(self) -> None:
        """Run the session to its end; stop it if its holder is gone or has lost the right to it."""
        _log.info("job started kind=%s", self.view.kind)
        work = self._work = asyncio.create_task(self._session.run(self))
        # It may have been stopped while the referee was still closing the table for it.
        if self._is_stopped:
            work.cancel()
        watch = asyncio.create_task(self._watch_holder())
        try:
            while not work.done():
                await asyncio.wait([work], timeout=self._left_s())
                if self._left_s() == 0 and not work.done():
                    self.say(_NOBODY)
                    self.stop()
        finally:
            # Also if this task itself is cancelled: the session must have released the box before `run` ends.
            watch.cancel()
            work.cancel()
            await asyncio.wait([work])
        self.result = self._result_of(work)
        _log.info("job ended kind=%s result=%s", self.view.kind, self.result.status.name.lower())
        self._show(question=None, progress=1.0)

    async def _watch_holder(self) -> None:
        while self._holder.may():
            await self._endings.wait()
        self.say(_REVOKED)
        self.stop()

    def _left_s(self) -> float | None:
        """Return the seconds until the job ends because nobody polls it; None once it ends anyway."""
        if self._is_stopped or self._is_saved:
            return None
        return max(0.0, self._heard_s + GONE_S - self._now_s())

    def stop(self) -> None:
        """End the job soon, with nothing changed; a result that is saved stays."""
        if self._is_saved or self._is_stopped or self.result is not None:
            return
        self._is_stopped = True
        if self._work is not None:
            self._work.cancel()

    def state(self, since: int = 0, hold: str | None = None) -> JobState:
        """Return the job with its lines from number `since` (from 0) on; `hold` shows that its holder is there."""
        if self._is_held_by(hold):
            self._heard_s = self._now_s()
        done = self.result
        return JobState(
            self.view,
            self._asked,
            tuple(self._lines[since:]),
            len(self._lines),
            self._is_held_by(hold),
            self._draft,
            is_over=done is not None,
            status=None if done is None else int(done.status),
            answer=None if done is None else done.answer,
        )

    def give(self, asked: int, answer: Answer, hold: str | None) -> None:
        """Answer question number `asked`; repeating an answer changes nothing.

        Raises `NotYours` for anybody but the holder, `TooLate` for a question that is over, and `NotNow` for an answer
        that the question does not offer.
        """
        self.check_hold(hold)
        if self._given == (asked, answer):
            return
        question = self.view.question
        if question is None or asked != self._asked:
            raise TooLate("that question is over; look what is asked now")
        if answer.name not in question.answers or not set(answer.names) <= set(question.names):
            names = f" with names out of {', '.join(question.names)}" if question.names else ""
            raise NotNow(f"the answers are {', '.join(question.answers)}{names}")
        self._given = (asked, answer)
        if self._answer is None:
            # An optional question: the session looks for its answer when it gets there.
            self._is_taken = True
        elif not self._answer.done():
            self._answer.set_result(answer)

    def check_hold(self, hold: str | None) -> None:
        """Note that the holder is there. Raises `NotYours` for any other secret."""
        if not self._is_held_by(hold):
            raise NotYours("somebody else is doing this; they are asked, and you can watch")
        self._heard_s = self._now_s()

    def pass_on(self, holder: Holder) -> None:
        """Give the job to another holder. Raises `NotYours` while the present one is there."""
        if not self._is_held_by(holder.hold) and self._now_s() - self._heard_s < AWAY_S:
            raise NotYours(f"somebody else is doing this; take over once they are away for {AWAY_S:.0f} seconds")
        self._holder, self._heard_s = holder, self._now_s()

    def say(self, line: str, style: str = "") -> None:
        """Store a line, and show it in the snapshot."""
        self._lines.append(Line("said", line, style))
        self._show(say=line.strip())

    def say_keys(self, line: str) -> None:
        """Store what a terminal that follows the job should say; pages have buttons."""
        self._lines.append(Line("keys", line))
        self._tell()

    def show(self, result: "RenderableType") -> None:
        """Store a part of the result as printed in 80 columns without colours."""
        # Imported here because the daemon prints nothing else.
        from rich.console import Console

        page = io.StringIO()
        Console(file=page, width=_COLUMNS, highlight=False, markup=False).print(
            result, soft_wrap=isinstance(result, str)
        )
        self._lines.extend(Line("shown", line.rstrip()) for line in page.getvalue().splitlines())
        self._tell()

    def advance(self, done: float) -> None:
        self._show(progress=done)

    def propose(self, draft: Mapping[str, Any]) -> None:
        self._draft = draft

    def check(self) -> None:
        """Do nothing: stopping a job cancels its task wherever that waits."""

    def is_taken(self, offer: JobQuestion) -> bool:
        taken, self._is_taken = self._is_taken, False
        # An accepted offer gets a new number, so that a late repetition of the answer does not accept the next one.
        if taken or self.view.question != offer:
            self._put(offer)
        return taken

    async def ask(self, question: JobQuestion) -> Answer:
        """Ask the holder and wait for the answer."""
        self._answer = asyncio.get_running_loop().create_future()
        self._put(question)
        try:
            return await self._answer
        finally:
            self._answer = None
            self._show(question=None)

    async def key(self, say: str, keys: tuple[str, ...]) -> str:
        """Ask the holder for one of these keys, which are buttons of a page."""
        names: tuple[str, ...] = ()
        while len(names) != 1:
            names = (await self.ask(JobQuestion(say, ("some",), keys))).names
        return names[0]

    def look(self, seen: "Viewfinder") -> None:
        self.seen = seen

    def tell_saved(self, file: Path | None) -> None:
        self._is_saved = True
        self.say(phrase("Saved in {file}.", file=file) if file else NOTHING_CHANGED)

    def _put(self, question: JobQuestion) -> None:
        self._asked += 1
        self._show(question=question)

    def _show(self, **parts: Any) -> None:
        self.view = replace(self.view, **parts)
        self._tell()

    def _is_held_by(self, hold: str | None) -> bool:
        # In constant time, so that nobody can find the secret by timing.
        return hold is not None and secrets.compare_digest(hold.encode(), self._holder.hold.encode())

    def _result_of(self, work: asyncio.Task[Result]) -> Result:
        """Return the result of the session, or tell the operator why there is none."""
        try:
            return work.result()
        except asyncio.CancelledError:
            return self._unsaved(CANCELLED)
        except (*TROUBLES, VisionError) as trouble:
            return self._unsaved(f"{describe_trouble(trouble)} {NOTHING_CHANGED}")
        except Exception:
            _log.exception("job failed kind=%s", self.view.kind)
            return self._unsaved(_FAILED)

    def _unsaved(self, why: str) -> Result:
        self.say(why)
        return Result(Exit.NO, self._session.unsaved)


class Jobs:
    """Begins, shows and answers jobs; the referee lends them the box.

    The last job is kept, so that its end can be read.
    """

    def __init__(self, referee: "Referee", make_session: Callable[[JobOrder], Session], endings: Endings) -> None:
        """make_session: raises for an invalid request, before the box changes hands. endings: signals lost rights."""
        self._referee = referee
        self._endings = endings
        self._make_session = make_session
        self._job: Job | None = None

    async def begin(self, order: JobOrder, holder: Holder) -> JobState:
        """Begin a job, which its holder answers. Repeating the call with the same secret begins it only once.

        Raises `BadOrder`, `NoBox`, and `NotNow` during a game that is not paused or another job.
        """
        hold = holder.hold
        # A client that did not get the reply repeats its request.
        if self._job is not None and self._job.result is None and self._job.state(hold=hold).is_yours:
            return self._job.state(hold=hold)
        try:
            session = self._make_session(order)
        except (BoxError, VisionError) as error:
            raise BadOrder(str(error)) from error
        job = Job(order.kind, session, holder, self._endings, self._referee.tell_job)
        await self._referee.lend(job)
        self._job = job
        return job.state(hold=hold)

    def see(self, since: int = 0, hold: str | None = None) -> JobState | None:
        """Return the current job, or the last one; None before the first. `hold` shows that its holder is there."""
        return None if self._job is None else self._job.state(since, hold)

    def answer(self, asked: int, answer: Answer, hold: str | None) -> JobState:
        """Answer a question as `Job.give` does. Raises `NotNow` if no job is under way."""
        job = self._under_way()
        job.give(asked, answer, hold)
        return job.state(hold=hold)

    def cancel(self, hold: str | None) -> JobState:
        """End the job with nothing changed. Raises `NotYours`, and `NotNow` if no job is under way."""
        job = self._under_way()
        job.check_hold(hold)
        job.stop()
        return job.state(hold=hold)

    def take_over(self, holder: Holder) -> JobState:
        """Take over a job whose holder is away. Raises `NotYours` while they are there, `NotNow` without a job."""
        job = self._under_way()
        job.pass_on(holder)
        return job.state(hold=holder.hold)

    @property
    def seen(self) -> "Viewfinder | None":
        """What the camera saw last in the job under way; None where it has shown nothing."""
        return None if self._job is None or self._job.result is not None else self._job.seen

    @property
    def examined(self) -> "SelftestResult | None":
        """The result of the last job if it tested the box; None otherwise."""
        result = self._job.result if self._job is not None else None
        return result.examined if result is not None else None

    def _under_way(self) -> Job:
        if self._job is None or self._job.result is not None:
            raise NotNow("nothing is being calibrated or tested")
        return self._job
