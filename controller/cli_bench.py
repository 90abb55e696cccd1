"""`shutbox bench ...`: what this program is worth, measured."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli_words import BoxName, FieldChoice, FieldWord, Json

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure this program: vision, guard."""


@app.command()
def vision(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="FOLDER...", help="Pictures and their truth.")] = None,
    sweep: Annotated[int, typer.Option("--sweep", min=0, max=10_000_000, help="So many throws of the simulator.")] = 0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the sweep.")] = 1,
    field: FieldWord = FieldChoice.AUTO,
    worst: Annotated[int, typer.Option("--worst", min=0, help="So many pictures that went wrong are listed.")] = 10,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Read pictures whose dice are known, and count what was read exactly, wrongly and not."""
    from controller.bench_report import bench_vision
    from controller.bench_vision import Examiner, cases_of
    from hardware.box import load_box

    if not folders and not sweep:
        raise typer.BadParameter("name folders of pictures, or --sweep N")
    profile = load_box(box or "two-level-9")
    examiner = Examiner(profile.field if field is FieldChoice.AUTO else None, profile.die_mm)
    cases, left_out = cases_of(folders or (), sweep, seed)
    if not cases:
        raise typer.BadParameter(f"{', '.join(map(str, folders or ()))}: there are no pictures")
    raise typer.Exit(bench_vision(cases, left_out, examiner, worst=worst, as_json=json))


@app.command()
def guard(
    trials: Annotated[int, typer.Option("--trials", min=1, max=10_000, help="So many of each kind.")] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the boxes and of the moments.")] = 1,
    rigs: Annotated[int, typer.Option("--rigs", min=1, max=16, help="So many boxes side by side.")] = 2,
    json: Json = False,
) -> None:
    """Kill and stop daemons amid a reset: are pulses gone within a second, does the next start look and finish?"""
    from controller.bench_guard_report import bench_guard

    raise typer.Exit(bench_guard(trials, seed, rigs, as_json=json))
