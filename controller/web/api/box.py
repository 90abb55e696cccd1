"""The box itself: its wiring, its health, and a backup of everything in one file."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, BinaryIO

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict, Field

from controller.errors import BackupError, NotNow, NotThere
from controller.game.core.commands import OptionValue
from controller.game.table.engines import any_rules_of
from controller.game.table.snapshot import Snapshot
from controller.referee.box_slot import check_no_game
from controller.runtime.home import Home
from controller.service.doctor import Section, report_health
from controller.settings import load_settings
from controller.web.api.examples import Example, example, example_state
from controller.web.api.settings import change_setting
from controller.web.dependencies import TheBoxSlot, TheLookups, TheReferee, TheRestart, check_at_rest
from controller.web.security.principal import AuthorizedRoute
from hardware.box import box_names, load_box
from hardware.wiring.listing import WiringList, list_wiring
from hardware.wiring.plan import plan_of

_CHUNK_BYTES = 1 << 16

router = APIRouter(route_class=AuthorizedRoute)


@dataclass(frozen=True, slots=True)
class WantedGame:
    """A game that the box should show, with the given options (the others at their defaults)."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    game: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WantedProfile:
    """The name of a profile that comes with the program."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    profile: Annotated[str, Field(max_length=40)]


class _Archive(StreamingResponse):
    media_type = "application/gzip"


@router.get("/api/wiring")
@example(lambda: Example(answer=list_wiring(plan_of(load_box("two-level-9")))))
async def wiring(referee: TheReferee) -> WiringList:
    """How this box is wired: every pin of the header, every chip, the parts list and the first power-up."""
    return list_wiring(plan_of(referee.table.box))


@router.put("/api/box")
@example(lambda: Example(request=WantedGame("pub", {"tiles": 9}), answer=example_state()))
async def make_fit(wanted: WantedGame, referee: TheReferee, stand: TheBoxSlot) -> Snapshot:
    """Make the box one that can show this game: a simulated box is replaced by another, while no game is on."""
    await stand.make_fit(any_rules_of(wanted.game, wanted.options), referee)
    return referee.snapshot


@router.put("/api/box/profile")
@example(lambda: Example(request=WantedProfile("classic-9"), answer=example_state()))
async def use_profile(wanted: WantedProfile, referee: TheReferee, stand: TheBoxSlot, lookups: TheLookups) -> Snapshot:
    """Use the box with a profile of the program, now and after every start; only while no game is on.

    A profile that a bring-up has written for a box of this name stays in use.
    """
    if wanted.profile not in box_names():
        raise NotThere(f"there is no such box; the known ones are {', '.join(box_names())}")
    check_no_game(referee)
    # Before the boxes are exchanged: what is measured of another box may refuse it.
    await lookups.ask(_name_box, wanted.profile, not referee.table.simulated)
    await stand.use_profile(wanted.profile, referee)
    return referee.snapshot


def _name_box(home: Home, profile: str, is_metal: bool) -> None:
    """Let the settings name the box; a file of a box of this name that they name already stays."""
    named = load_settings(home.settings).box
    change_setting(home, "box", named if load_box(named).name == profile else profile, is_metal)


@router.get("/api/health")
@example(lambda: Example(answer=[Section("health", ("memory, journal, disk and clock are well",))]))
async def health(lookups: TheLookups) -> tuple[Section, ...]:
    """The report of `shutbox doctor`: versions, settings, health, runs, last events and log; no tokens, no names."""
    return await lookups.recall(report_health)


@router.get("/api/backup", response_class=_Archive)
async def backup(lookups: TheLookups) -> StreamingResponse:
    """All games, settings and measurements, as the file of `shutbox backup`; it is verified before it is sent."""
    name, file = await lookups.ask(make_backup)

    def read_chunks() -> Iterator[bytes]:
        with file:
            while chunk := file.read(_CHUNK_BYTES):
                yield chunk

    return _Archive(read_chunks(), headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("/api/restart", status_code=204)
async def restart_daemon(referee: TheReferee, restart: TheRestart) -> None:
    """End the daemon, so that systemd starts it anew; `daemon` in the snapshot then has another value.

    409 in a game that is not paused, during a job, or if the daemon is no service and nobody would start it.
    """
    check_at_rest(referee)
    if restart is None:
        raise NotNow("nobody would start the program of the box again; end it at its terminal, and start it there")
    restart()


def make_backup(home: Home) -> tuple[str, BinaryIO]:
    """Return the name and open file of a backup that is already deleted: its space is freed when the reader ends."""
    # Loaded here: archives take 14 MB of memory, and most daemons never make one.
    from controller.service.backup import save_backup

    # Always the same folder, emptied first, so that power cuts leave at most one partial backup behind.
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
