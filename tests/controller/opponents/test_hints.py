"""Answers about the odds know no terminal: who asked is told their progress, and sentences are made of them."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from controller.cli.odds_drawing import draw_answer
from controller.game.table.questions import Question
from controller.odds.shutbox import seats, tables
from controller.odds.shutbox.model import Model
from controller.odds.work import silent
from controller.opponents.hints import OddsBook
from controller.opponents.simulation import tally_json
from controller.rules.errors import InvalidOption

Given = dict[str, bool | int | str]

_SMALL: Given = {"columns": 5}
_SETS: list[tuple[str, Given]] = [
    ("two-level", _SMALL),
    ("two-level", _SMALL | {"stake": 3}),
    ("pub", {"tiles": 7}),
    ("the-300", {"tiles": 9, "dice": 3}),
    ("2-to-go", {"tiles": 7}),
    ("unlucky-7", {"tiles": 7, "on_seven": "played"}),
    ("golf", {"tiles": 7}),
    ("double-shutter", {"columns": 4}),
]
_ASKED: list[dict[str, object]] = [
    {},
    {"curve": True},
    {"aim": "shut"},
    {"aim": "win", "players": 3},
    {"aim": "win", "players": 4, "scores": [9]},
]


def test_answers_and_turns_by_chance_load_nothing_that_draws() -> None:
    modules = f"{OddsBook.__module__}, {tally_json.__module__}, {Question.__module__}"
    code = f"import sys, {modules}; sys.exit('rich' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_would_take_long_is_refused_before_anything_large_is_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Model, "of", None)
    question = Question.model_validate({"set": {"rows": 6}, "aim": "win", "scores": [5]})
    with pytest.raises(InvalidOption, match="take long"):
        OddsBook(tmp_path, quick=True).answer(question)


def drawn(question: Question, book: OddsBook, width: int = 80) -> str:
    screen = io.StringIO()
    Console(file=screen, width=width).print(draw_answer(book.answer(question), question, book, width))
    return screen.getvalue()


def test_every_move_is_told_in_a_sentence_the_best_first(tmp_path: Path) -> None:
    book = OddsBook(tmp_path)
    question = Question(game="two-level", set={"columns": 7}, throw=[5, 3])
    found, worths = book.answer(question), book.move_values(question)

    assert worths[0][0] == found["best"][0]
    assert worths[0][1] == pytest.approx(found["value"])
    assert [value for _, value in worths] == sorted(value for _, value in worths)
    lines = drawn(question, book).splitlines()
    best = f"The best is {' and '.join(worths[0][0])}: the turn then ends with {worths[0][1]:.2f} points on average."
    assert lines[0] == best
    more = round(worths[1][1], 2) - round(worths[0][1], 2)
    assert lines[1] == f"  {' and '.join(worths[1][0])}: {worths[1][1]:.2f} points, {more:.2f} worse."
    wins = Question(game="pub", throw=[5, 3], aim="win", players=2, scores=[6])
    assert drawn(wins, book).splitlines()[0].startswith("The best is front-8: the turn then wins ")
    assert drawn(Question(game="pub", board="1 . . . . . . . .", throw=[5, 3]), book).startswith("Nothing fits")


@pytest.mark.parametrize("asked", _ASKED, ids=str)
@pytest.mark.parametrize(("game", "given"), _SETS, ids=str)
def test_a_question_tells_its_progress_which_only_rises_and_ends_with_all(
    game: str, given: Given, asked: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty questions, each as if nothing had been asked before."""
    tables.RECENT._tables.clear()
    seats._memory.cache_clear()
    # Small boards are solved in as many steps as big ones.
    monkeypatch.setattr(sys.modules["controller.odds.shutbox.solver"], "_LEAST_INNER", 1)
    told: list[float] = []
    if asked.get("scores") and game in ("2-to-go", "double-shutter"):
        asked = asked | {"scores": [7]}
    OddsBook(tmp_path).answer(Question.model_validate({"game": game, "set": given} | asked), told.append)

    assert told == sorted(told)
    assert told[0] <= 0.5
    assert told[-1] == pytest.approx(1)


def test_what_was_worked_out_before_tells_that_it_has_begun_and_no_more(tmp_path: Path) -> None:
    question, told = Question(game="pub", set={"tiles": 8}), list[float]()
    OddsBook(tmp_path).answer(question, silent)
    OddsBook(tmp_path).answer(question, told.append)

    assert told == [0.0]
