"""`shutbox backup`: save everything that was played, set and measured on a box in one file."""

import asyncio
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.cli.progress import show_progress
from controller.errors import BackupDoubtful
from controller.game.core.english import join_and
from controller.jobs.dialog import Cancelled, Dialog, Result, Session, confirm
from controller.jobs.terminal import no_lines, run_at_terminal
from controller.runtime.home import find_box_home
from controller.runtime.keyboard import typed_lines
from controller.runtime.output import Exit, print_json
from controller.runtime.terminal import answers
from controller.service.backup import save_backup
from controller.service.contents import kinds_of
from controller.service.played import Played
from controller.service.restore import clock_was_wrong, prepare_restore


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(help="The file, or its folder; by default a file in this one, named by box and date."),
    ] = None,
    json: Json = False,
) -> None:
    make_backup(file or Path(), as_json=json)


def make_backup(target: Path, *, as_json: bool) -> None:
    """Make a backup, and print what it holds and leaves out. Raises `BackupError`, `JournalError`, `OSError`."""
    with show_progress("Checking") as tell:
        made = save_backup(find_box_home(), target, datetime.now().astimezone(), tell)
    if as_json:
        left_out = [{"name": name, "why": why} for why, names in made.left_out.items() for name in names]
        told = made.manifest.model_dump(mode="json")
        print_json({"file": str(made.file), **told, "left_out": left_out, "doubts": list(made.doubts)})
        return
    held = join_and(kinds_of(saved.name for saved in made.manifest.files))
    answers.print(f"Saved {held} in {made.file}.", markup=False)
    for doubt in made.doubts:
        answers.print(f"Saved as it is: {doubt}.", style="yellow", markup=False)
    answers.print("Not in it:")
    for why, names in made.left_out.items():
        answers.print_indented(f"{', '.join(names)}: {why}", 2)


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
            conversation.say(f"Restored {join_and(kinds_of(names))}. Players who had a seat take it again.")
            if aside is not None:
                conversation.say(f"What was there lies in {aside}; `shutbox restore` with that folder brings it back.")
            told = {"restored": True, "box": ready.manifest.box, "files": names, "games": ready.brings.games}
            return Result(Exit.DONE, {**told, "before": str(aside) if aside else None, "games_before": ready.has.games})

        lines = typed_lines() if ask else no_lines()
        session = Session(work, {"restored": False})
        return asyncio.run(run_at_terminal(session, lines, waits=ask, as_json=as_json)).status


def _describe(played: Played) -> str:
    if played.games is None:
        return "they cannot be read"
    return f"{played.games or 'none'}{f', the last on {played.last:%Y-%m-%d}' if played.last else ''}"
