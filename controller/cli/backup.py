"""`shutbox backup`: save everything that was played, set and measured on a box in one file."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.cli.progress import show_progress
from controller.game.core.english import join_and
from controller.maintenance.backup import save_backup
from controller.maintenance.contents import kinds_of
from controller.process.output import print_json
from controller.process.terminal import answers
from controller.settings import find_box_home


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
