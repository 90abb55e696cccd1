"""`shutbox selftest`: test the box, in this process or by its daemon, and write a page about it."""

from pathlib import Path
from typing import Annotated

import typer

from controller.box.orders import SelftestOrder
from controller.calibrate.selftest import selftest_session
from controller.calibrate.terminal import no_lines
from controller.cli.job import do_here, join_job, table_alone
from controller.cli.joined import find_mock_box
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json, Mock, MockBox
from controller.journal.computer_checks import check_home
from controller.words.words import DEFAULT_LANGUAGE, words_in


def selftest(
    mock: Mock = False,
    mock_box: MockBox = False,
    box: BoxName = None,
    faults: Faults = None,
    seed: AnySeed = None,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a page with a drawing of the box (HTML).")
    ] = None,
    json: Json = False,
) -> None:
    if report is not None:
        # A page that cannot be written is refused before a tile moves.
        if not report.name or report.is_dir():
            raise typer.BadParameter("name a file for the page", param_hint="--report")
        if not report.absolute().parent.is_dir():
            raise typer.BadParameter(f"{report.parent} is no folder", param_hint="--report")
    installation = Installation(box, mock or mock_box)
    tested = None
    if not mock and not mock_box:
        given = {"box": box, "faults": faults, "seed": seed}
        order = SelftestOrder()
        tested = join_job(installation, order, no_lines(), waits=False, as_json=json, page=report, **given)
    if tested is None:
        home = installation.home
        if mock_box:
            chosen = find_mock_box(installation, mock=mock, box=box, faults=faults, seed=seed)
            session = selftest_session(chosen.open_table, chosen.box, home.wear(chosen.box.name, mock=True))
        else:
            profile = installation.load_box()
            found = () if mock else check_home(home)
            open_table = table_alone(installation, faults, seed)
            session = selftest_session(open_table, profile, home.wear(profile.name, mock=mock), found)
        tested = do_here(session, installation, as_json=json, jumps=mock, bar="self-test")
        if report is not None and tested.examined is not None:
            # Loaded here: most tests need no page.
            from controller.web.pages.selftest import draw_selftest

            report.write_text(draw_selftest(tested.examined, words_in(DEFAULT_LANGUAGE)), "utf-8")
    raise typer.Exit(tested.status)
