"""The jobs of a daemon: one at a time, while no game is on or it is paused; answered by whoever has begun it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.access import Endings
from controller.box import JobOrder
from controller.calibrate.conversation import Answer, Session
from controller.calibrate.job import Holder, Job, JobState
from controller.errors import BadOrder, NotNow
from controller.referee import Referee
from hardware.errors import BoxError
from vision.errors import VisionError

if TYPE_CHECKING:
    from firmware.selftest import Examined


class Workshop:
    """Where jobs are begun, seen and answered; the box they work on is lent by the referee.

    The last one is kept, so that its end can be read.

    Lifetime: as the referee. Concurrency: one event loop.
    """

    def __init__(self, referee: Referee, make_session: Callable[[JobOrder], Session], endings: Endings) -> None:
        """make_session: raises what is wrong with an order, before anything is closed or opened. endings: of rights."""
        self._referee = referee
        self._endings = endings
        self._make_session = make_session
        self._job: Job | None = None

    async def begin(self, order: JobOrder, holder: Holder) -> JobState:
        """Begin a job, which its holder answers. With the same secret, it is begun once only.

        Raises `BadOrder`, `NoBox`, and `NotNow` in a game that is not paused or while another job is under way.
        """
        hold = holder.hold
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
        """The job that is under way, else the last one; None before the first. Who asks with its hold is there."""
        return None if self._job is None else self._job.state(since, hold)

    def answer(self, asked: int, answer: Answer, hold: str | None) -> JobState:
        """Answer a question; see `Job.give`. Raises `NotNow` where nothing is asked."""
        job = self._under_way()
        job.give(asked, answer, hold)
        return job.state(hold=hold)

    def cancel(self, hold: str | None) -> JobState:
        """End the job with nothing changed. Raises `NotYours`; `NotNow` where none is under way."""
        job = self._under_way()
        job.check_hold(hold)
        job.stop()
        return job.state(hold=hold)

    def take_over(self, holder: Holder) -> JobState:
        """Go on with a job whose holder is away.

        Raises `NotYours` while he is there, `NotNow` where no job is under way.
        """
        job = self._under_way()
        job.pass_on(holder)
        return job.state(hold=holder.hold)

    @property
    def examined(self) -> "Examined | None":
        """What the last job has found, where it tested the box; else None."""
        result = self._job.result if self._job is not None else None
        return result.examined if result is not None else None

    def _under_way(self) -> Job:
        if self._job is None or self._job.result is not None:
            raise NotNow("nothing is being calibrated or tested")
        return self._job
