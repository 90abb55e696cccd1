"""`shutbox doctor`: the state of this installation in one report, for whoever helps."""

import json as json_text
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.runtime.home import find_box_home
from controller.runtime.locks import as_caller
from controller.runtime.output import print_document, print_json
from controller.runtime.systemd import read_service_log
from controller.runtime.terminal import answers, say
from controller.service.doctor import make_report, report_text
from controller.settings import load_settings, setting_rows
from controller.web.api.openapi import describe_api
from controller.web.network import daemon_runs

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
        with as_caller():
            file.write_text(report_text(report), "utf-8")
        say(f"The report is in {file}. Look through it before you pass it on.")


def settings(json: Json = False) -> None:
    home = find_box_home()
    rows = [*setting_rows(load_settings(home.settings))]
    if json:
        print_json({"home": str(home.data), "file": str(home.settings), "settings": [asdict(row) for row in rows]})
        return
    answers.print(f"Home folder: {home.data}", markup=False)
    missing = "" if home.settings.exists() else " (there is none yet: all is as it comes)"
    answers.print(f"Settings: {home.settings}{missing}", markup=False)
    for row in rows:
        default = "" if row.value == row.default else f"   (default: {_in_toml(row.default)})"
        answers.print(f"{row.key} = {_in_toml(row.value)}{default}", style="bold", markup=False)
        answers.print_indented(row.meaning, 4)


def _in_toml(value: object) -> str:
    """Return a value as the file has it: text, numbers and lists look as in JSON."""
    return json_text.dumps(value, ensure_ascii=False)


def api(json: Json = False) -> None:
    (print_json if json else print_document)(describe_api())
