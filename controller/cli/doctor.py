"""`shutbox doctor`: the state of this installation in one report, to be passed on to whoever helps."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.maintenance import Section, make_report
from controller.process import answers, print_json, read_service_log, say
from controller.settings import find_box_home
from controller.web import daemon_runs

_LOG_LINES = 200


def doctor(
    file: Annotated[Path | None, typer.Argument(help="Where the report goes; to the terminal if none.")] = None,
    names: Annotated[bool, typer.Option("--names", help="Tell people by their names, not as player 1.")] = False,
    json: Json = False,
) -> None:
    """A report for whoever helps: versions, settings, health, last events, last lines of the log."""
    if file is not None and file.exists():
        raise typer.BadParameter(f"{file} exists; name another file")
    home = find_box_home()
    home.make()
    report = make_report(home, read_service_log(_LOG_LINES), daemon_runs=daemon_runs(home), names=names)
    if json:
        print_json({section.title: list(section.lines) for section in report})
    elif file is None:
        _print(report)
    if file is not None:
        file.write_text("\n".join(_lines_of(report)) + "\n", "utf-8")
        say(f"The report is in {file}. Look through it before you pass it on.")


def _print(report: Iterable[Section]) -> None:
    for section in report:
        answers.print(section.title.capitalize(), style="bold")
        for line in section.lines:
            answers.print_indented(line, 2)


def _lines_of(report: Iterable[Section]) -> Iterable[str]:
    for section in report:
        yield section.title.capitalize()
        yield from (f"  {line}" for line in section.lines)
