"""`shutbox odds`: the exact odds, drawn, as JSON, or for a whole file of questions."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.cli.batch import answer_batch, refuse_with_batch
from controller.cli.options import Batch, BoardText, GameName, Json, MarksFile, Set, ThrowText, Variant, choose_game
from controller.cli.progress import show_progress
from controller.game import Question
from controller.process import answers, print_json
from controller.settings import find_home

_WORK = "working out the odds"


def odds(
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    board: BoardText = None,
    throw: ThrowText = None,
    aim: Annotated[str | None, typer.Option("--aim", help="score (the default), shut, at-most:N or win.")] = None,
    curve: Annotated[bool, typer.Option("--curve", help="The chance of at most N, for every N.")] = False,
    players: Annotated[int | None, typer.Option("--players", help="For --aim win: how many play, 2 to 6.")] = None,
    scores: Annotated[
        str | None, typer.Option("--scores", help="For --aim win: scores so far, in playing order, by commas.")
    ] = None,
    batch: Batch = None,
    json: Json = False,
) -> None:
    """The exact odds: least expected score, greatest chance to shut, of at most N points, or to win."""
    if batch is not None:
        refuse_with_batch(board=board, throw=throw, set=options, game=game, variant=variant, marks=marks, aim=aim)
        refuse_with_batch(curve=curve, players=players, scores=scores)
        answer_batch(batch, Question, partial(_answer, find_home().odds))
        return
    choice = choose_game(game, options, variant, marks)
    question = Question.about(
        choice,
        board=board,
        throw=throw,
        aim=aim,
        curve=curve or None,
        players=players,
        scores=[_whole(word) for word in scores.split(",")] if scores else None,
    )
    folder = find_home().odds
    with show_progress(_WORK) as progress:
        # Loaded here: while it loads, the time runs after which the work is seen to go on.
        from controller.cli.odds_words import draw_answer
        from controller.strategy import OddsBook

        book = OddsBook(folder)
        found = book.answer(question, progress)
    print_json(found) if json else answers.print(draw_answer(found, question, book, answers.width))


def _answer(folder: Path, question: Question) -> dict[str, Any]:
    from controller.strategy import OddsBook

    with show_progress(_WORK) as progress:
        return OddsBook(folder).answer(question, progress)


def _whole(word: str) -> int:
    try:
        return int(word)
    except ValueError as error:
        raise typer.BadParameter(f"--scores: {word!r} is no whole number") from error
