"""`shutbox bench vision`: pictures whose dice are known."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import REFERENCE_BOX, BoxName, FieldChoice, FieldOption, Json
from hardware.box import load_box
from tools.evaluation.sweeps import report_joined
from tools.evaluation.vision import Examiner, list_trials
from tools.evaluation.vision_report import bench_vision


def vision(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="FOLDERS", help="Pictures and their truth.")] = None,
    sweep: Annotated[int, typer.Option("--sweep", min=0, max=10_000_000, help="So many throws of the simulator.")] = 0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the sweep.")] = 1,
    field: FieldOption = FieldChoice.AUTO,
    join: Annotated[bool, typer.Option("--join", help="FOLDERs are sweeps told in JSON: say what all say.")] = False,
    worst: Annotated[int, typer.Option("--worst", min=0, help="So many pictures that went wrong are listed.")] = 10,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Read pictures whose dice are known, and count what was read exactly, wrongly and not."""
    if join and not folders:
        raise typer.BadParameter("name the files that bench vision --sweep N --json told")
    if join and sweep:
        raise typer.BadParameter("--join says what sweeps in files say; --sweep throws new ones: give one of them")
    if not folders and not sweep:
        raise typer.BadParameter("name folders of pictures, or --sweep N")
    if join:
        raise typer.Exit(report_joined(folders or (), as_json=json))
    profile, reference = load_box(box or REFERENCE_BOX), load_box(REFERENCE_BOX)
    if sweep and (profile.field, profile.die_mm) != (reference.field, reference.die_mm):
        raise typer.BadParameter(f"the throws of a sweep lie in the field of {REFERENCE_BOX}: leave --box out")
    examiner = Examiner(profile.field if field is FieldChoice.AUTO else None, profile.die_mm)
    trials, left_out = list_trials(folders or (), sweep, seed)
    if not trials:
        raise typer.BadParameter(f"{', '.join(map(str, folders or ()))}: there are no pictures")
    swept = None if folders else seed
    raise typer.Exit(bench_vision(trials, left_out, examiner, worst=worst, as_json=json, swept=swept))
