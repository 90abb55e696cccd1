"""`shutbox export`: the games of a journal as JSON Lines, CSV or text; `shutbox import`: games from text."""

import csv as csv_text
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.errors import NotThere, RecordError
from controller.game.core.english import count
from controller.journal.export import TABLES, Row, export_rows, row_schema
from controller.journal.stn import import_records, load_records, record_from
from controller.journal.store import Journal
from controller.runtime.home import find_box_home
from controller.runtime.output import Exit, print_document, print_json
from controller.runtime.terminal import answers, words

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
    stn: Annotated[
        bool, typer.Option("--stn", help="Whole games as text, which anybody can read and `import` takes.")
    ] = False,
    game: Annotated[
        list[int] | None,
        typer.Option("--game", min=1, help="With --stn: only the game with this number; several times."),
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Only describe a row, as a JSON Schema.")] = False,
    json: Json = False,
) -> None:
    if stn and (csv or json or schema or table is not None):
        raise typer.BadParameter("--stn tells whole games as text; leave out the table, --csv, --json and --schema")
    if game and not stn:
        raise typer.BadParameter("--game is for --stn")
    if csv and json:
        raise typer.BadParameter("--csv and --json are two forms; leave one out")
    if csv and table is None:
        raise typer.BadParameter(f"--csv is for one table; name one of {', '.join(TABLES)}")
    if schema:
        (print_json if json else print_document)(row_schema())
        return
    path = journal or find_box_home().journal
    if journal is None and not path.exists():
        if game:
            raise NotThere("nobody has played a game yet")
        _print_rows((), table, as_csv=csv)
        return
    with Journal(path, read_only=True) as opened:
        if stn:
            _print_records(opened, game)
        else:
            _print_rows(export_rows(opened), table, as_csv=csv)


def _print_records(journal: Journal, games: Sequence[int] | None) -> None:
    """Print games as text, all if none are named; those that have none are told on standard error, with status 1."""
    known, untold = journal.game_ids(), False
    for game_id in games or known:
        if game_id not in known:
            raise NotThere(f"there is no game {game_id}; `shutbox replay` lists them")
        try:
            print(record_from(journal, game_id))
        except RecordError as error:
            untold = True
            words.print(f"game {game_id}: {error}", markup=False)
    if untold:
        raise typer.Exit(Exit.NO)


def import_games(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="Files of games as text.")],
    journal: Annotated[
        Path | None, typer.Option("--journal", help="The journal that they go into; one of guests in the home if none.")
    ] = None,
    json: Json = False,
) -> None:
    home = find_box_home()
    path = journal or home.guests
    if path == home.journal:
        raise typer.BadParameter("the journal of this box holds what was played on it; name another one")
    records = [record for file in files for record in load_records(file)]
    if journal is None:
        home.make()
    numbers = import_records(records, path)
    for number, record in zip(numbers, records, strict=True):
        game = record.game
        if json:
            print_json({"game": number, "journal": str(path), "name": game.rules.name, "box": record.box})
        else:
            names = ", ".join(player.name for player in game.players)
            answers.print(f"game {number}: {game.rules.name}, {names}", markup=False)
    if not json:
        answers.print(f"{count(len(numbers), 'game')} in {path}; `shutbox replay {path}` tells them", markup=False)


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
