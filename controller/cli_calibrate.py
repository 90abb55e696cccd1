"""`shutbox calibrate ...`: what is measured on one box and kept in its home folder."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from controller.cli_words import BoxName, Json, Mock, Seed
from controller.output import Exit, answers, print_json

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def calibrate(
    context: typer.Context,
    show: Annotated[bool, typer.Option("--show", help="Show what is saved of the servos, and what changed.")] = False,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Measure this box: its servos, its camera, and dice that bear no pips."""
    if context.invoked_subcommand is not None:
        return
    if not show:
        raise typer.BadParameter("say one of servos, camera, dice, or --show")
    from controller.cli_servos import show_servos

    raise typer.Exit(show_servos(box, as_json=json))


@app.command()
def camera(
    mock: Mock = False,
    box: BoxName = None,
    views: Annotated[int, typer.Option("--views", min=8, max=40, help="Views of the sheet.")] = 11,
    mains: Annotated[
        int, typer.Option("--mains", min=50, max=60, help="Frequency of the mains in hertz: 50 or 60.")
    ] = 50,
    sheets: Annotated[
        Path | None, typer.Option("--sheets", help="Only write the two sheets to print (PDF) into this folder.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; save what is not poor.")] = False,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Measure lens, place and exposure of the camera with the printed sheet."""
    from controller.calibration_wiring import choose_camera_rig
    from controller.settings import find_home, load_settings

    home = find_home()
    settings = load_settings(home.settings)
    name = box or settings.box
    if sheets is not None:
        raise typer.Exit(_write_sheets(sheets, name, as_json=json))
    if mains not in (50, 60):
        raise typer.BadParameter("--mains is 50 or 60 (hertz)")
    from controller.calibrating import CameraOrder, calibrate_camera
    from controller.clock import run_jumping
    from controller.keyboard import typed_lines
    from controller.lock import lock

    open_rig = choose_camera_rig(name, settings, mock=mock, seed=seed)
    home.make()
    with lock(home.lock):
        order = CameraOrder(views, mains, ask=not yes)
        work = calibrate_camera(open_rig, home.data, order, typed_lines(), as_json=json)
        raise typer.Exit(run_jumping(work) if mock else asyncio.run(work))


def _write_sheets(folder: Path, box: str, *, as_json: bool) -> Exit:
    from hardware.box import load_box
    from vision.calibrating.sheets import write_sheets

    profile = load_box(box)
    folder.mkdir(parents=True, exist_ok=True)
    files = write_sheets(folder, profile)
    if as_json:
        print_json({"files": [str(file) for file in files]})
    else:
        for file in files:
            answers.print(str(file), markup=False)
    return Exit.DONE
