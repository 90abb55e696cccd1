"""`shutbox calibrate camera`: lens, place and exposure, and the sheets that are needed for it."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from controller.box import choose_camera_rig
from controller.calibrate import CameraOrder, calibrate_camera
from controller.cli.options import BoxName, Installation, Json, Mock, Seed
from controller.process import Exit, answers, lock, print_json, run_jumping, typed_lines
from vision.calibration import write_sheets


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
    installation = Installation(box, mock)
    if sheets is not None:
        raise typer.Exit(_write_sheets(sheets, installation, as_json=json))
    home, settings = installation.home, installation.settings
    if mains not in (50, 60):
        raise typer.BadParameter("--mains is 50 or 60 (hertz)")
    open_rig = choose_camera_rig(installation.box, settings, mock=mock, seed=seed)
    home.make()
    with lock(home.lock):
        order = CameraOrder(views, mains, ask=not yes)
        work = calibrate_camera(open_rig, home.data, order, typed_lines(), as_json=json)
        raise typer.Exit(run_jumping(work) if mock else asyncio.run(work))


def _write_sheets(folder: Path, installation: Installation, *, as_json: bool) -> Exit:
    profile = installation.load_box()
    folder.mkdir(parents=True, exist_ok=True)
    files = write_sheets(folder, profile)
    if as_json:
        print_json({"files": [str(file) for file in files]})
    else:
        for file in files:
            answers.print(str(file), markup=False)
    return Exit.DONE
