"""The box itself: how it is wired, how it does, and all of it in one file."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import BinaryIO

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict

from controller.errors import BackupError
from controller.game import OptionValue, Snapshot, any_rules_of
from controller.maintenance import Section, make_report
from controller.process import read_service_log
from controller.settings import Home
from controller.web.gate import GatedRoute
from controller.web.provided import TheLookups, TheReferee, TheStand
from hardware.wiring import WiringList, list_wiring, plan_of

_LOG_LINES = 200
_CHUNK_BYTES = 1 << 16

router = APIRouter(route_class=GatedRoute)


@dataclass(frozen=True, slots=True)
class WantedGame:
    """A game that the box is to show, with the options given (the others at their defaults)."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)


class _Archive(StreamingResponse):
    media_type = "application/gzip"


@router.get("/api/wiring")
async def wiring(referee: TheReferee) -> WiringList:
    """How this box is wired: every pin of the header, every chip, the parts list and the first power-up."""
    return list_wiring(plan_of(referee.table.box))


@router.put("/api/box")
async def make_fit(wanted: WantedGame, referee: TheReferee, stand: TheStand) -> Snapshot:
    """Have the box be one that can show this game: another takes the place of a simulated one, while no game is on."""
    await stand.make_fit(any_rules_of(wanted.game, wanted.options), referee)
    return referee.snapshot


@router.get("/api/health")
async def health(lookups: TheLookups) -> tuple[Section, ...]:
    """The report of `shutbox doctor`: versions, settings, health, runs, last events and log; no tokens, no names."""
    return await lookups.recall(_report)


@router.get("/api/backup", response_class=_Archive)
async def backup(lookups: TheLookups) -> StreamingResponse:
    """All that was played, set and measured, as the file of `shutbox backup`; it is checked whole before it comes."""
    name, file = await lookups.ask(_save)
    return _Archive(_chunks(file), headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _report(home: Home) -> tuple[Section, ...]:
    return make_report(home, read_service_log(_LOG_LINES), daemon_runs=True, names=False, by_daemon=True)


def _save(home: Home) -> tuple[str, BinaryIO]:
    """A backup that is no longer in any folder: it is gone when it is closed, however its reader ends."""
    # Loaded here: archives take 14 MB of memory, and most daemons never make one.
    from controller.maintenance import save_backup

    # Always the same, emptied first: a cut of the power amid a backup leaves one half of a copy, and not one for each.
    folder = home.data / ".shutbox-backup"
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        try:
            saved = save_backup(home, folder, datetime.now(UTC), lambda _done: None)
            return saved.file.name, open(saved.file, "rb")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise BackupError(f"the backup cannot be written: {error.strerror}; make room on the disk") from error


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk
