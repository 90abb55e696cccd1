"""`shutbox doctor`: the state of this installation in one report, for whoever helps."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.maintenance.report import make_report
from controller.process.output import print_json
from controller.process.service_log import read_service_log
from controller.process.terminal import answers, say
from controller.settings import find_box_home
from controller.web.sockets import daemon_runs

_LOG_LINES = 200


def doctor(
    file: Annotated[Path | None, typer.Argument(help="The file for the report; the terminal if none.")] = None,
    names: Annotated[bool, typer.Option("--names", help="Call people by their names, not player 1.")] = False,
    json: Json = False,
) -> None:
    if file is not None and file.exists():
        raise typer.BadParameter(f"{file} exists; name another file")
    home = find_box_home()
    home.make()
    report = make_report(home, read_service_log(_LOG_LINES), daemon_runs=daemon_runs(home), names=names)
    if json:
        print_json({section.title: list(section.lines) for section in report})
    elif file is None:
        for section in report:
            answers.print(section.title.capitalize(), style="bold")
            for line in section.lines:
                answers.print_indented(line, 2)
    if file is not None:
        lines = [line for each in report for line in (each.title.capitalize(), *(f"  {line}" for line in each.lines))]
        file.write_text("\n".join(lines) + "\n", "utf-8")
        say(f"The report is in {file}. Look through it before you pass it on.")
