"""The jobs of the daemon: one at a time, without a game or while it is paused; the operator who began it answers it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.access.endings import Endings
from controller.box.orders import JobOrder
from controller.calibrate.conversation import Answer, Session
from controller.calibrate.job import Holder, Job, JobState
from controller.errors import BadOrder, NotNow
from hardware.errors import BoxError
from vision.errors import VisionError

if TYPE_CHECKING:
    # For annotations only: terminals that follow a job use this module, and must not load the referee.
    from controller.referee.referee import Referee
    from firmware.selftest.examined import SelftestResult


class Jobs:
    """Begins, shows and answers jobs; the referee lends them the box.

    The last job is kept, so that its end can be read.

    Lifetime: as the referee. Concurrency: one event loop.
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
    def examined(self) -> "SelftestResult | None":
        """The result of the last job if it tested the box; None otherwise."""
        result = self._job.result if self._job is not None else None
        return result.examined if result is not None else None

    def _under_way(self) -> Job:
        if self._job is None or self._job.result is not None:
            raise NotNow("nothing is being calibrated or tested")
        return self._job
