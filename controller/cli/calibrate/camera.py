"""`shutbox calibrate camera`: lens, place and exposure, and the sheets that are needed for it."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from controller.box import LEAST_VIEWS, MOST_VIEWS, CameraOrder, Rigs
from controller.calibrate import Result, camera_session, run_at_terminal
from controller.cli.job import join_job
from controller.cli.options import BoxName, Installation, Json, Mock, Seed
from controller.process import Exit, answers, lock, print_json, run_jumping, typed_lines
from vision.calibration import write_sheets


def camera(
    mock: Mock = False,
    box: BoxName = None,
    views: Annotated[int, typer.Option("--views", min=LEAST_VIEWS, max=MOST_VIEWS, help="Views of the sheet.")] = 11,
    mains: Annotated[
        int, typer.Option("--mains", min=50, max=60, help="Frequency of the mains in hertz: 50 or 60.")
    ] = 50,
    sheets: Annotated[
        Path | None,
        typer.Option("--sheets", metavar="FOLDER", help="Only write the two sheets to print (PDF) into this folder."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; save what is not poor.")] = False,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Measure lens, place and exposure of the camera with the printed sheet."""
    installation = Installation(box, mock)
    if sheets is not None:
        raise typer.Exit(_write_sheets(sheets, installation, as_json=json))
    if mains not in (50, 60):
        raise typer.BadParameter("--mains is 50 or 60 (hertz)")
    order = CameraOrder(views, 60 if mains == 60 else 50, ask=not yes)
    joined = join_job(installation, order, typed_lines(), waits=order.ask, as_json=json, box=box)
    raise typer.Exit((joined or _calibrate_here(installation, order, seed, as_json=json)).status)


def _calibrate_here(installation: Installation, order: CameraOrder, seed: int, *, as_json: bool) -> Result:
    home, mock = installation.home, installation.mock
    open_rig = Rigs(installation.box, installation.settings, home, seed if mock else None).camera()
    home.make()
    with lock(home.lock):
        session = camera_session(open_rig, home.data, order)
        work = run_at_terminal(session, typed_lines(), waits=order.ask, as_json=as_json)
        return run_jumping(work) if mock else asyncio.run(work)


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
