"""Answers about the odds know no terminal: they tell their progress to whoever asked, and a drawing is made of them."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from controller.cli import drawing
from controller.cli.drawing import draw_answer, show_progress
from controller.game.questions import Question
from controller.strategy.hints import OddsBook
from controller.strategy.simulation import run_turns


def test_answers_and_turns_by_chance_load_nothing_that_draws() -> None:
    modules = f"{OddsBook.__module__}, {run_turns.__module__}, {Question.__module__}"
    code = f"import sys, {modules}; sys.exit('rich' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_long_work_tells_its_progress_to_the_one_who_asked(tmp_path: Path) -> None:
    told: list[float] = []
    question = Question(game="two-level", set={"columns": 7, "max_tiles": 4}, throw=[5, 3])
    book = OddsBook(tmp_path, told.append)
    found = book.answer(question)

    assert told == sorted(told)
    assert told[-1] == 1
    worths = {" ".join(names): value for names, value in book.move_values(question, "score")}
    assert min(worths.values()) == pytest.approx(found["value"])
    assert worths[" ".join(found["best"][0])] == min(worths.values())

    drawn = io.StringIO()
    Console(file=drawn, width=80).print(draw_answer(found, question, book))
    assert all(name in drawn.getvalue() for name in worths)


def test_a_bar_is_drawn_once_there_is_progress_and_goes_when_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(drawing, "words", Console(file=file, force_terminal=True, width=80))
    with show_progress("counting boards") as progress:
        assert file.getvalue() == ""
        progress(0.5)
        assert "counting boards" in file.getvalue()
        progress(1.0)
        done = len(file.getvalue())
    assert len(file.getvalue()) == done
