"""`shutbox selftest`: choose the box, test it, print the report and keep it."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from controller.box import choose_table, parse_faults, run_selftest, untested_report
from controller.cli.mock_box import find_mock_box
from controller.cli.options import AnySeed, BoxName, Faults, Installation, Json, Mock, MockBox
from controller.journal import check_home
from controller.process import Exit, answers, fault_json, lock, print_json, run_jumping, say, show_warnings, words
from controller.settings import Home
from firmware.selftest import SelftestReport, TellStep, WearFile, render_page, wear_notes
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
    installation = Installation(box, mock or mock_box)
    home = installation.home
    home.make()
    if mock_box:
        tested, told = _test_mock_box(home, mock=mock, box=box, faults=faults, seed=seed)
    else:
        tested = installation.load_box()
        told = _test_box(installation, tested, parse_faults(faults), 1 if seed is None else seed, mock=mock)
    wear, now = WearFile(home.wear(tested.name, mock=mock or mock_box), tested.name), datetime.now().astimezone()
    worn = wear_notes(wear.book.with_test(told, now), tested.tile_ids)
    status = _print_report(told, [note.say for note in worn.values()], as_json=json)
    _keep_report(told, tested, wear, report, now)
    raise typer.Exit(status)


def _refuse_page(file: Path) -> None:
    """A page that cannot be written is refused before a tile moves."""
    if not file.name or file.is_dir():
        raise typer.BadParameter("name a file for the page", param_hint="--report")
    if not file.absolute().parent.is_dir():
        raise typer.BadParameter(f"{file.parent} is no folder", param_hint="--report")


def _test_mock_box(home: Home, *, mock: bool, **given: object) -> tuple[Box, SelftestReport]:
    joined = find_mock_box(home, mock=mock, **given)
    with lock(home.lock), show_warnings(), _show_steps() as tell_step:
        return joined.box, asyncio.run(run_selftest(joined.opening, joined.box, tell_step))


def _test_box(installation: Installation, box: Box, faults: Sequence[str], seed: int, *, mock: bool) -> SelftestReport:
    home, settings = installation.home, installation.settings
    try:
        opening = choose_table(installation.box, settings, home, mock=mock, faults=faults, seed=seed, keep_tiles=False)
    except CalibrationError as error:
        return untested_report(error, box)
    if mock:
        with show_warnings(), _show_steps() as tell_step:
            return run_jumping(run_selftest(opening, box, tell_step))
    checks = tuple(check_home(home))
    with lock(home.lock), show_warnings(), _show_steps() as tell_step:
        return asyncio.run(run_selftest(opening, box, tell_step, checks))


@contextmanager
def _show_steps() -> Iterator[TellStep]:
    """Print every step in a line, above a bar where somebody looks at a terminal."""
    with Progress(console=words, transient=True, disable=not words.is_terminal) as bars:
        bar = bars.add_task("self-test", total=1.0)

        def tell_step(line: str, done: float) -> None:
            say(line)
            bars.update(bar, completed=done)

        yield tell_step


def _print_report(report: SelftestReport, worn: Iterable[str], *, as_json: bool) -> Exit:
    """Print the report, and in words the tiles that wear; NO if the test failed."""
    if as_json:
        findings = [fault_json(fault) for fault in report.findings]
        print_json({"passed": report.passed, "findings": findings, "untested": list(report.untested)})
    else:
        for fault in report.findings:
            answers.print(str(fault), markup=False)
        if report.untested:
            answers.print(f"Not tested because of that: {', '.join(report.untested)}", markup=False)
        if report.displaced:
            answers.print(f"Seen elsewhere than before the test: {', '.join(report.displaced)}", markup=False)
        for sentence in worn:
            answers.print(sentence, style="yellow", markup=False)
        answers.print("Self-test passed." if report.passed else "Self-test failed.")
    return Exit.DONE if report.passed else Exit.NO


def _keep_report(report: SelftestReport, box: Box, wear: WearFile, file: Path | None, date: datetime) -> None:
    """Note the test in the book of the tiles, and write its page where one is asked for: raises `OSError`.

    A book that cannot be written is no fault of the box, and only said.
    """

    html = render_page(box, report, wear.book, date)
    try:
        wear.note_test(report, date)
    except OSError as error:
        say(f"the book of the tiles is not written: {error}")
    if file is not None:
        file.write_text(html, "utf-8")
