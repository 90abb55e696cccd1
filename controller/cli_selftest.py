"""`shutbox selftest`: which box is tested, and what becomes of the report."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.cli_mock_box import joined_box
from controller.cli_words import BoxName, Faults, Json, Mock, MockBox
from hardware.errors import CalibrationError

if TYPE_CHECKING:
    from controller.settings import Home
    from firmware.findings import SelftestReport
    from hardware.box import Box


def selftest(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    faults: Faults = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The chance of the simulated box.")] = None,
    report: Annotated[Path | None, typer.Option("--report", help="Write a page with the box drawn (HTML).")] = None,
    json: Json = False,
) -> None:
    """Test every chip, tile, sensor, the camera and the markers."""
    from controller.fault_catalogue import fault_names
    from controller.selftest import keep, tell
    from controller.settings import find_home, load_settings
    from controller.wear import WearFile, notes
    from hardware.box import load_box

    if report is not None:
        _refuse_page(report)
    home = find_home()
    home.make()
    if mock_box:
        tested, told = _test_mock_box(home, mock=mock, box=box, faults=faults, seed=seed)
    else:
        name = box or load_settings(home.settings).box
        tested = load_box(name)
        told = _test_box(home, name, fault_names(faults), 1 if seed is None else seed, mock=mock)
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


def _test_mock_box(home: "Home", *, mock: bool, **words: object) -> tuple["Box", "SelftestReport"]:
    from controller.lock import owned
    from controller.selftest import test_table

    joined = joined_box(home, mock=mock, **words)
    with owned(home.lock):
        return joined.box, asyncio.run(test_table(joined.opening, joined.box))


def _test_box(home: "Home", name: str, faults: Sequence[str], seed: int, *, mock: bool) -> "SelftestReport":
    from controller.choose import choose_table
    from controller.clock import run_jumping
    from controller.lock import owned
    from controller.papers import untested_for
    from controller.selftest import test_table
    from controller.settings import load_settings
    from hardware.box import load_box

    settings, box = load_settings(home.settings), load_box(name)
    try:
        opening = choose_table(name, settings, home, mock=mock, faults=faults, seed=seed, keep_tiles=False)
    except CalibrationError as error:
        return untested_for(error, box)
    if mock:
        return run_jumping(test_table(opening, box))
    with owned(home.lock):
        return asyncio.run(test_table(opening, box))
