"""The client of a daemon's jobs: what a terminal needs to calibrate and test through it."""

import json
import secrets
from pathlib import Path

from pydantic import TypeAdapter

from controller.box.job_requests import JobOrder
from controller.jobs.dialog import Answer
from controller.jobs.jobs import JobState
from controller.web.client import Client, DaemonGone

_ORDER: TypeAdapter[JobOrder] = TypeAdapter(JobOrder)
_STATE: TypeAdapter[JobState | None] = TypeAdapter(JobState | None)


class JobClient(Client):
    """Begins one job, follows it and answers its questions. Every method raises `Refused` or `DaemonGone`."""

    def __init__(self, socket: Path) -> None:
        super().__init__(socket)
        # By this secret the daemon recognizes the holder of the job.
        self._hold = {"Job-Hold": secrets.token_urlsafe(24)}

    async def begin(self, order: JobOrder) -> JobState:
        return await self._ask("POST", "/api/job", _ORDER.dump_json(order))

    async def see(self, since: int) -> JobState:
        """Return the job with its lines from number `since` on; the job goes on as long as this is called regularly."""
        return await self._ask("GET", f"/api/job?since={since}")

    async def answer(self, asked: int, answer: Answer) -> JobState:
        """Answer question number `asked`."""
        body = json.dumps({"asked": asked, "answer": answer.name, "names": answer.names}).encode()
        return await self._ask("POST", "/api/job/answer", body)

    async def cancel(self) -> JobState:
        """End the job without any change."""
        return await self._ask("DELETE", "/api/job")

    async def page(self) -> str:
        """Return the page that the job has made, as a self-contained file; empty if it made none."""
        return (await self._request("GET", "/api/job/page?alone=true")).text

    async def _ask(self, method: str, path: str, body: bytes | None = None) -> JobState:
        """Send a request as the holder of the job. Raises `DaemonGone` also if a restarted daemon has no job."""
        state = _STATE.validate_json((await self._request(method, path, body, self._hold)).content)
        if state is None:
            raise DaemonGone("the daemon was started again; nothing was saved")
        return state
