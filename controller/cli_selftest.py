"""`shutbox selftest`: which box is tested, and what becomes of the report."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from controller.cli_mock_box import joined_box
from controller.cli_words import AnySeed, BoxName, Faults, Json, Mock, MockBox, Setup
from controller.clock import run_jumping
from controller.lock import owned
from controller.papers import untested_for
from controller.selftest import keep, tell, test_table
from controller.settings import Home
from controller.wear import WearFile, notes
from controller.wiring import choose_table, fault_names
from firmware.findings import SelftestReport
from hardware.box import Box
from hardware.errors import CalibrationError


def selftest(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write a page with the box drawn (HTML).")] = None,
    json: Json = False,
) -> None:
    """Test every chip, tile, sensor, the camera and the markers."""
    if report is not None:
        _refuse_page(report)
    setup = Setup.find(box)
    home = setup.home
    home.make()
    if mock_box:
        tested, told = _test_mock_box(home, mock=mock, box=box, faults=faults, seed=seed)
    else:
        tested = setup.load_box()
        told = _test_box(setup, tested, fault_names(faults), 1 if seed is None else seed, mock=mock)
    wear, now = WearFile(home.wear(tested.name, mock=mock or mock_box), tested.name), datetime.now().astimezone()
    worn = notes(wear.book.with_test(told, now), tested.tile_ids)
    status = tell(told, worn.values(), as_json=json)
    keep(told, tested, wear, report, now)
    raise typer.Exit(status)


def _refuse_page(file: Path) -> None:
    """A page that cannot be written is refused before a tile moves."""
    if not file.name or file.is_dir():
        raise typer.BadParameter("name a file for the page", param_hint="--report")
    if not file.absolute().parent.is_dir():
        raise typer.BadParameter(f"{file.parent} is no folder", param_hint="--report")


def _test_mock_box(home: Home, *, mock: bool, **words: object) -> tuple[Box, SelftestReport]:
    joined = joined_box(home, mock=mock, **words)
    with owned(home.lock):
        return joined.box, asyncio.run(test_table(joined.opening, joined.box))


def _test_box(setup: Setup, box: Box, faults: Sequence[str], seed: int, *, mock: bool) -> SelftestReport:
    home, settings = setup.home, setup.settings
    try:
        opening = choose_table(setup.box, settings, home, mock=mock, faults=faults, seed=seed, keep_tiles=False)
    except CalibrationError as error:
        return untested_for(error, box)
    if mock:
        return run_jumping(test_table(opening, box))
    with owned(home.lock):
        return asyncio.run(test_table(opening, box))
