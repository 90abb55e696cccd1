"""`shutbox selftest`: choose the box, test it here or have its daemon do it, and write the page."""

from pathlib import Path
from typing import Annotated

import typer

from controller.box import SelftestOrder
from controller.calibrate import Session, no_lines, selftest_session
from controller.cli.job import do_here, join_job, table_alone
from controller.cli.joined import find_mock_box
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json, Mock, MockBox
from controller.journal import check_home
from controller.words import DEFAULT_LANGUAGE, words_in
from firmware.selftest import Examined


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
    installation = Installation(box, mock or mock_box)
    tested = None
    if not mock and not mock_box:
        tested = join_job(
            installation,
            SelftestOrder(),
            no_lines(),
            waits=False,
            as_json=json,
            page=report,
            box=box,
            faults=faults,
            seed=seed,
        )
    if tested is None:
        if mock_box:
            session = _session_of_mock_box(installation, mock=mock, box=box, faults=faults, seed=seed)
        else:
            session = _session(installation, faults, seed)
        tested = do_here(session, installation, as_json=json, jumps=mock, bar="self-test")
        if report is not None and tested.examined is not None:
            _write_page(report, tested.examined)
    raise typer.Exit(tested.status)


def _refuse_page(file: Path) -> None:
    """A page that cannot be written is refused before a tile moves."""
    if not file.name or file.is_dir():
        raise typer.BadParameter("name a file for the page", param_hint="--report")
    if not file.absolute().parent.is_dir():
        raise typer.BadParameter(f"{file.parent} is no folder", param_hint="--report")


def _write_page(file: Path, examined: Examined) -> None:
    # Loaded here: most who test want no page.
    from controller.web import draw_selftest

    file.write_text(draw_selftest(examined, words_in(DEFAULT_LANGUAGE)), "utf-8")


def _session(installation: Installation, faults: str | None, seed: int | None) -> Session:
    home, mock, box = installation.home, installation.mock, installation.load_box()
    open_table = table_alone(installation, faults, seed)
    return selftest_session(open_table, box, home.wear(box.name, mock=mock), () if mock else check_home(home))


def _session_of_mock_box(installation: Installation, *, mock: bool, **given: object) -> Session:
    chosen = find_mock_box(installation, mock=mock, **given)
    return selftest_session(chosen.open_table, chosen.box, installation.home.wear(chosen.box.name, mock=True))
