"""Restore a backup: it is sent and checked, then confirmed; the next start of the daemon carries it out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, BinaryIO

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field
from starlette.requests import ClientDisconnect

from controller.errors import BackupError, NotNow
from controller.runtime.home import Home
from controller.service.pending import (
    CheckedBackup,
    check_room,
    confirm,
    read_pending,
    receive,
    withdraw,
)
from controller.service.played import Played
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheLookups, TheReferee, TheRestart, TheRestoring, TheStoredHome, check_at_rest
from controller.web.security.connections import PATIENT
from controller.web.security.principal import AuthorizedRoute

router = APIRouter(route_class=AuthorizedRoute)

_FILE = {"required": True, "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}}}
_DIGEST = "3f" * 32


@dataclass(frozen=True, slots=True)
class RestoreState:
    """The backup at the box, if any. is_confirmed: the next start of the daemon restores it.

    can_restart: `POST /api/restart` starts it anew.
    """

    backup: CheckedBackup | None
    is_confirmed: bool
    can_restart: bool


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The digest of the backup that was checked. anyway: restore it in spite of its doubts."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    anyway: bool = False


def _example_state(*, is_confirmed: bool) -> RestoreState:
    played = Played(140, datetime(2026, 11, 24, 20, 0, tzinfo=UTC))
    checked = CheckedBackup(
        digest=_DIGEST,
        box="two-level-9",
        made=datetime(2026, 11, 24, 20, 15, tzinfo=UTC),
        program="1.4.0",
        holds=("the journal", "the settings", "the calibration"),
        replaces=("the journal", "the settings"),
        doubts=(),
        brings=played,
        has=Played(),
    )
    return RestoreState(checked, is_confirmed, can_restart=True)


@router.get("/api/restore")
@example(lambda: Example(answer=_example_state(is_confirmed=False)))
async def pending_restore(lookups: TheLookups, restart: TheRestart) -> RestoreState:
    """The backup that was sent last, and whether the next start restores it."""
    pending = await lookups.ask(read_pending)
    return RestoreState(pending.backup, pending.is_confirmed, can_restart=restart is not None)


@router.post("/api/restore", openapi_extra={"requestBody": _FILE})
@example(lambda: Example(answer=_example_state(is_confirmed=False)))
async def send_backup(
    request: Request,
    home: TheStoredHome,
    referee: TheReferee,
    lookups: TheLookups,
    restart: TheRestart,
    restoring: TheRestoring,
) -> RestoreState:
    """Send the file of a backup, which is checked; nothing changes yet. It replaces one that was not confirmed.

    409 in a game that is not paused, during a job, while another one is sent, or while one waits for the next start.
    """
    check_at_rest(referee)
    if restoring.locked():
        raise NotNow("another backup is sent or checked just now; wait until that is over")
    async with restoring:
        if (await lookups.ask(read_pending)).is_confirmed:
            raise NotNow("a backup waits for the next start already; withdraw it first")
        # From here on the sender is known to be an operator, whose file may take as long as it takes.
        setattr(request.state, PATIENT, True)
        async with _in_thread(receive(home)) as file:
            await _store(request, home, file)
        checked = await lookups.ask(_check, datetime.now().astimezone())
    return RestoreState(checked, is_confirmed=False, can_restart=restart is not None)


async def _store(request: Request, home: Home, file: BinaryIO) -> None:
    """Write the body of a request to a file. Raises `BackupError` if it does not come whole, or there is no room."""

    def write(chunk: bytes) -> None:
        check_room(home, len(chunk))
        file.write(chunk)

    try:
        await asyncio.to_thread(check_room, home, int(request.headers.get("content-length", "0")))
        async for chunk in request.stream():
            await asyncio.to_thread(write, chunk)
    except ClientDisconnect as error:
        raise BackupError("not all of the file has come; send it again") from error
    except OSError as error:
        raise BackupError(f"the backup cannot be stored: {error.strerror}; make room on the disk") from error


@asynccontextmanager
async def _in_thread(opened: AbstractContextManager[BinaryIO]) -> AsyncIterator[BinaryIO]:
    """Enter and leave in a thread, because the disk may be slow."""
    file = await asyncio.to_thread(opened.__enter__)
    try:
        yield file
    except BaseException as error:
        await asyncio.to_thread(opened.__exit__, type(error), error, error.__traceback__)
        raise
    await asyncio.to_thread(opened.__exit__, None, None, None)


@router.post("/api/restore/confirmed")
@example(lambda: Example(request=Confirmation(_DIGEST), answer=_example_state(is_confirmed=True)))
async def confirm_restore(
    asked: Confirmation, referee: TheReferee, lookups: TheLookups, restart: TheRestart, restoring: TheRestoring
) -> RestoreState:
    """Have the next start restore the backup with this digest; what it replaces is put aside in the home.

    409 in a game that is not paused, and during a job. 422: there is no such backup, or it has doubts.
    """
    check_at_rest(referee)
    async with restoring:
        await lookups.ask(_confirm, asked.digest, asked.anyway)
    return await pending_restore(lookups, restart)


@router.delete("/api/restore")
@example(lambda: Example(answer=RestoreState(None, is_confirmed=False, can_restart=True)))
async def withdraw_restore(lookups: TheLookups, restart: TheRestart, restoring: TheRestoring) -> RestoreState:
    """Remove the backup that was sent, whether it was confirmed or not; the box stays as it is."""
    async with restoring:
        await lookups.ask(_withdraw)
    return await pending_restore(lookups, restart)


def _check(home: Home, now: datetime) -> CheckedBackup:
    # Loaded here: archives take 14 MB of memory, and most daemons never read one.
    from controller.service.received import check_received

    return check_received(home, now)


def _confirm(home: Home, digest: str, anyway: bool) -> None:
    try:
        confirm(home, digest, anyway=anyway)
    except OSError as error:
        raise BackupError(f"nothing was changed: {error.strerror}; look at the disk of the box") from error


def _withdraw(home: Home) -> None:
    try:
        withdraw(home)
    except OSError as error:
        raise BackupError(f"it cannot be removed: {error.strerror}; look at the disk of the box") from error
