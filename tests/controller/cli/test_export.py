"""`shutbox export`: rows that a spreadsheet and a program can take as they are."""

import csv
import io
import json
import random
from pathlib import Path

import fastjsonschema
import pytest

from controller.cli.export import _cell
from controller.journal.export import TABLES
from controller.journal.store import Journal
from tests.controller.conftest import Shutbox, answers
from tests.support.homes import play_game, play_race


@pytest.fixture
def journal(shutbox_home: Path) -> Path:
    with Journal(shutbox_home / "journal.sqlite3") as journal:
        play_game(journal, random.Random(1))
        play_game(journal, random.Random(2), throws=2)
        play_race(journal, random.Random(3))
    return journal.path


def test_every_line_is_what_the_schema_says(journal: Path, shutbox: Shutbox) -> None:
    [schema] = answers(shutbox("export", "--schema", "--json")[1])
    validate = fastjsonschema.compile(schema)

    status, out, _ = shutbox("export")

    rows = answers(out)
    assert status == 0
    for row in rows:
        validate(row)
    assert {row["table"] for row in rows} == set(TABLES)
    for wrong in ({**rows[0], "more": 1}, {**rows[0], "game": "one"}, {**rows[0], "table": "tiles"}):
        with pytest.raises(fastjsonschema.JsonSchemaException):
            validate(wrong)


def test_people_read_the_schema_on_many_lines(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("export", "--schema")

    assert status == 0
    assert [json.loads(out)] == answers(shutbox("export", "--schema", "--json")[1])
    assert max(map(len, out.splitlines())) <= 120


@pytest.mark.parametrize("table", TABLES)
def test_a_table_holds_the_same_in_both_forms(journal: Path, shutbox: Shutbox, table: str) -> None:
    rows = answers(shutbox("export", table)[1])
    lines = list(csv.DictReader(io.StringIO(shutbox("export", table, "--csv")[1])))

    assert len(lines) == len(rows) > 0
    assert {row.pop("table") for row in rows} == {table}
    assert [list(line) for line in lines] == [list(row) for row in rows]
    assert [line["game"] for line in lines] == [str(row["game"]) for row in rows]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", "Ann;=1+1"])
def test_no_name_is_a_formula_in_a_spreadsheet(shutbox_home: Path, shutbox: Shutbox, name: str) -> None:
    """Names of journals from before names could not begin so, or from other programs."""
    with Journal(shutbox_home / "journal.sqlite3") as journal:
        play_game(journal, random.Random(1))
        journal._db.execute("UPDATE event SET body = replace(body, '\"Ann\"', ?)", (json.dumps(name),))
        journal._db.commit()
    for table, column in (("games", "players"), ("scores", "player")):
        lines = list(csv.DictReader(io.StringIO(shutbox("export", table, "--csv")[1])))
        cells = {cell for line in lines for cell in line[column].split(";")}
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
        assert any(cell.startswith("'") for cell in cells), cells
        assert name in {row["player"] for row in answers(shutbox("export", "scores")[1])}


def test_numbers_stay_numbers_and_inner_signs_stay(journal: Path, shutbox: Shutbox) -> None:
    out = shutbox("export", "choices", "--csv")[1]

    assert "front-" in out
    assert "'" not in out
    assert _cell(-5) == "-5"


@pytest.mark.parametrize("words", ["export", "export games --json"])
def test_where_nobody_has_played_there_are_no_rows(shutbox: Shutbox, words: str) -> None:
    assert shutbox(*words.split()) == (0, "", "")


def test_where_nobody_has_played_a_table_has_its_titles(shutbox: Shutbox) -> None:
    status, out, _ = shutbox("export", "scores", "--csv")

    assert (status, out) == (0, "game,event,at,round,player,score,lost,taken_back\r\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("export --csv", "name one of games, throws, choices, scores"),
        ("export games --csv --json", "leave one out"),
        ("export tiles", "'games', 'throws', 'choices', 'scores'"),
        ("export --journal /nowhere/at/all", "cannot be opened"),
    ],
)
def test_a_wrong_call_is_one_line(shutbox: Shutbox, words: str, says: str) -> None:
    status, out, err = shutbox(*words.split())

    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert says in err
