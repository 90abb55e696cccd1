"""`shutbox export`: the games of a journal as JSON Lines or CSV."""

import csv as csv_text
import re
import sys
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.journal.export import TABLES, Row, export_rows, row_schema
from controller.journal.store import Journal
from controller.runtime.home import find_box_home
from controller.runtime.output import print_document, print_json

# Where a spreadsheet takes a text for a formula: owasp.org/www-community/attacks/CSV_Injection. Some part cells by `;`.
_FORMULA = re.compile(r"(^|;)(?=[=+\-@\t\r])")


class Table(StrEnum):
    """The tables of an export."""

    GAMES = "games"
    THROWS = "throws"
    CHOICES = "choices"
    SCORES = "scores"
    CLAIMS = "claims"


def export(
    table: Annotated[
        Table | None, typer.Argument(metavar="TABLE", help="games, throws, choices, scores or claims; all if none.")
    ] = None,
    journal: Annotated[Path | None, typer.Option("--journal", help="The journal; the home folder's if none.")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="For spreadsheets: CSV, with a line of titles.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Only describe a row, as a JSON Schema.")] = False,
    json: Json = False,
) -> None:
    if csv and json:
        raise typer.BadParameter("--csv and --json are two forms; leave one out")
    if csv and table is None:
        raise typer.BadParameter(f"--csv is for one table; name one of {', '.join(TABLES)}")
    if schema:
        (print_json if json else print_document)(row_schema())
        return
    path = journal or find_box_home().journal
    if journal is None and not path.exists():
        _print_rows((), table, as_csv=csv)
        return
    with Journal(path, read_only=True) as opened:
        _print_rows(export_rows(opened), table, as_csv=csv)


def _print_rows(rows: Iterable[Row], table: Table | None, *, as_csv: bool) -> None:
    chosen = (row for row in rows if table is None or row.table == table)
    if as_csv and table is not None:
        columns = [name for name in TABLES[table].model_fields if name != "table"]
        lines = csv_text.DictWriter(sys.stdout, columns, extrasaction="ignore")
        lines.writeheader()
        for row in chosen:
            lines.writerow({name: _cell(getattr(row, name)) for name in columns})
        return
    for row in chosen:
        print_json(row.model_dump(mode="json"))


def _cell(value: object) -> str:
    if isinstance(value, Mapping):
        return ";".join(f"{name}={_cell(each)}" for name, each in value.items())
    if isinstance(value, tuple):
        return ";".join(map(_cell, value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _FORMULA.sub(r"\1'", value)
    return "" if value is None else str(value)
