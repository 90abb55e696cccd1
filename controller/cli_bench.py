"""`shutbox bench ...`: what this program is worth, measured."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli_words import BoxName, FieldChoice, FieldWord, Json

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback()
def bench() -> None:
    """Measure this program: vision, motion, wire, faults, selftest, calibration, guard."""


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
    from controller.bench_vision import Examiner, trials_of
    from hardware.box import load_box

    if not folders and not sweep:
        raise typer.BadParameter("name folders of pictures, or --sweep N")
    profile = load_box(box or "two-level-9")
    examiner = Examiner(profile.field if field is FieldChoice.AUTO else None, profile.die_mm)
    trials, left_out = trials_of(folders or (), sweep, seed)
    if not trials:
        raise typer.BadParameter(f"{', '.join(map(str, folders or ()))}: there are no pictures")
    raise typer.Exit(bench_vision(trials, left_out, examiner, worst=worst, as_json=json))


@app.command()
def motion(
    boxes: Annotated[int, typer.Option("--boxes", min=1, max=1000, help="Simulated boxes of each size.")] = 5,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the first box.")] = 1,
    json: Json = False,
) -> None:
    """Move tiles on boxes of many sizes and supplies, and compare with the least time possible."""
    from controller.bench_motion import bench_motion

    raise typer.Exit(bench_motion(boxes, seed, as_json=json))


@app.command()
def wire(
    runs: Annotated[int, typer.Option("--runs", min=1, max=10_000_000, help="So many commands.")] = 2000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of it all.")] = 1,
    json: Json = False,
) -> None:
    """Commands, hands and faults at random: nothing may stall for long, push wood, or draw too much."""
    from controller.bench_wire import bench_wire

    raise typer.Exit(bench_wire(runs, seed, as_json=json))


@app.command()
def faults(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of it all.")] = 1,
    json: Json = False,
) -> None:
    """Play whole games while things break: none may hang, be scored wrong, or harm the box."""
    from controller.bench_faults import bench_faults

    raise typer.Exit(bench_faults(runs, seed, as_json=json))


@app.command()
def selftest(
    every: Annotated[int, typer.Option("--every", min=1, help="Only one in so many of all self-tests.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the simulated box.")] = 1,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Break a simulated box in every way there is, from several boards: is that named, and nothing else?"""
    from controller.bench_selftest import bench_selftest
    from hardware.box import load_box

    raise typer.Exit(bench_selftest(load_box(box or "two-level-9"), every, seed, as_json=json))


@app.command()
def calibration(
    boxes: Annotated[int, typer.Option("--boxes", min=1, max=100_000, help="So many simulated boxes.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the first box.")] = 1,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Calibrate the servos of simulated boxes that were just put together, and compare with their wood."""
    from controller.bench_calibration import bench_calibration
    from hardware.box import load_box

    profile = load_box(box or "two-level-9")
    raise typer.Exit(bench_calibration(profile, range(seed, seed + boxes), as_json=json))


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
