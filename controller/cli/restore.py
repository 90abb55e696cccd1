"""`shutbox restore`: restore a backup, all of which is checked before anything changes."""

import asyncio
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.calibrate.conversation import Cancelled, Dialog, Result, Session
from controller.calibrate.saving import confirm
from controller.calibrate.terminal import no_lines, run_at_terminal
from controller.cli.options import Json
from controller.cli.progress import show_progress
from controller.errors import BackupDoubtful
from controller.game.core.english import join_and
from controller.maintenance.contents import kinds_of
from controller.maintenance.played import Played
from controller.maintenance.restore import Restore, prepare_restore
from controller.process.keyboard import typed_lines
from controller.process.output import Exit
from controller.settings import find_box_home


def restore(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="A backup, or the files that a restore has put aside.")
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Restore also a backup of another box, or with parts that do not fit.")
    ] = False,
    json: Json = False,
) -> None:
    raise typer.Exit(restore_from(source, ask=not yes, anyway=anyway, as_json=json))


def restore_from(source: Path, *, ask: bool, anyway: bool, as_json: bool) -> Exit:
    """Restore a backup once somebody has agreed. Raises `BackupError`, `DaemonRuns` and `OSError`."""
    now = datetime.now().astimezone()
    with ExitStack() as prepared:
        with show_progress("Checking") as tell:
            ready = prepared.enter_context(prepare_restore(find_box_home(), source, now, tell))
        if ready.doubts and not anyway:
            raise BackupDoubtful(f"{source}: {ready.doubts[0]}; nothing was changed; --anyway restores it all the same")

        async def work(conversation: Dialog) -> Result:
            backup = ready.manifest
            names = [saved.name for saved in backup.files]
            made = f"made on {backup.made:%Y-%m-%d %H:%M} by version {backup.program}"
            conversation.say(f"The backup is of the box {backup.box}, {made}: {join_and(kinds_of(names))}.")
            for doubt in ready.doubts:
                conversation.say(f"All the same: {doubt}.", "yellow")
            conversation.say(f"It replaces {join_and(kinds_of(ready.replaced)) or 'nothing'}.")
            conversation.say(f"Games in the backup: {_describe(ready.brings)}. Games here: {_describe(ready.has)}.")
            if clock_was_wrong(ready, now):
                conversation.say("Not all of these dates can be right: go by the numbers of the games.", "yellow")
            if ask and not await confirm(conversation, "Restore it?"):
                raise Cancelled
            aside = ready.carry_out(now)
            conversation.say(f"Restored {join_and(kinds_of(names))}. Whoever had a seat takes it again.")
            if aside is not None:
                conversation.say(f"What was there lies in {aside}; `shutbox restore` with that folder brings it back.")
            told = {"restored": True, "box": ready.manifest.box, "files": names, "games": ready.brings.games}
            return Result(Exit.DONE, {**told, "before": str(aside) if aside else None, "games_before": ready.has.games})

        lines = typed_lines() if ask else no_lines()
        session = Session(work, {"restored": False})
        return asyncio.run(run_at_terminal(session, lines, waits=ask, as_json=as_json)).status


def _describe(played: Played) -> str:
    """Return how many games were played, and when the last one was."""
    if played.games is None:
        return "they cannot be read"
    return f"{played.games or 'none'}{f', the last on {played.last:%Y-%m-%d}' if played.last else ''}"


def clock_was_wrong(ready: Restore, now: datetime) -> bool:
    """Return whether the dates contradict each other: the clock of a Pi stops without a network."""
    made, brought, here = ready.manifest.made, ready.brings.last, ready.has.last
    return made > now or (brought or made) > made or (here or now) > now
