"""`shutbox odds`: exact odds, drawn, as JSON, or for a file of questions."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.cli.batch import answer_batch, refuse_with_batch
from controller.cli.options import (
    Batch,
    BoardText,
    CombinationName,
    GameName,
    Json,
    KeptText,
    MarksFile,
    Set,
    ThrowText,
    Variant,
    choose_game,
)
from controller.cli.progress import show_progress
from controller.game.table.questions import FleetQuestion, Question
from controller.game.table.variants import GameChoice
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.runtime.home import find_home
from controller.runtime.output import print_json
from controller.runtime.terminal import answers

_WORK = "working out the odds"


def odds(
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    board: BoardText = None,
    throw: ThrowText = None,
    aim: Annotated[str | None, typer.Option("--aim", help="score (the default), shut, at-most:N or win.")] = None,
    curve: Annotated[bool, typer.Option("--curve", help="The chance of at most N points, for every N.")] = False,
    players: Annotated[int | None, typer.Option("--players", help="For --aim win: how many play, 2 to 6.")] = None,
    scores: Annotated[
        str | None, typer.Option("--scores", help="For --aim win: scores so far, in playing order, by commas.")
    ] = None,
    combination: CombinationName = None,
    kept: KeptText = None,
    order: Annotated[
        bool, typer.Option("--order", help="For fleet and flash: the best order; needs --players.")
    ] = False,
    batch: Batch = None,
    json: Json = False,
) -> None:
    if batch is not None:
        refuse_with_batch(board=board, throw=throw, set=options, game=game, variant=variant, marks=marks, aim=aim)
        refuse_with_batch(curve=curve, players=players, scores=scores, combination=combination, kept=kept)
        refuse_with_batch(order=order)
        answer_batch(batch, Question, partial(_odds_of, find_home().odds), dict.fromkeys(CARDS, FleetQuestion))
        return
    choice = choose_game(game, options, variant, marks)
    if order:
        if board or throw or aim or curve or scores or combination or kept or marks:
            raise typer.BadParameter("--order is asked for with --game, --set, --variant and --players alone")
        _show_order(choice, players, json=json)
        return
    so_far: list[int] | None = None
    if scores:
        try:
            so_far = []
            for word in scores.split(","):
                so_far.append(int(word))
        except ValueError as error:
            raise typer.BadParameter(f"--scores: {word!r} is no whole number") from error
    of_tiles = {"board": board, "curve": curve or None, "players": players, "scores": so_far}
    if choice.game in CARDS:
        asked = FleetQuestion.about(choice, combination=combination, throw=throw, kept=kept, aim=aim, **of_tiles)

        from controller.cli.odds_drawing import draw_fleet_answer
        from controller.opponents.hints import FleetBook

        races = FleetBook()
        found = races.answer(asked)
        print_json(found) if json else answers.print(draw_fleet_answer(found, asked, races))
        return
    if combination is not None or kept is not None:
        raise typer.BadParameter(f"--combination and --kept are for {' and '.join(CARDS)}, not for {choice.game}")
    question = Question.about(choice, throw=throw, aim=aim, **of_tiles)
    with show_progress(_WORK) as progress:
        # Loading these takes a while, during which the progress is shown.
        from controller.cli.odds_drawing import draw_answer
        from controller.opponents.hints import OddsBook

        book = OddsBook(find_home().odds)
        found = book.answer(question, progress)
    print_json(found) if json else answers.print(draw_answer(found, question, book, answers.width))


def _show_order(choice: GameChoice, players: int | None, *, json: bool) -> None:
    if choice.game not in CARDS:
        raise typer.BadParameter(f"--order is for {' and '.join(CARDS)}, not for {choice.game}")
    if players is None:
        raise typer.BadParameter("--order needs --players, 2 to 6: how many race")
    with show_progress(_WORK):
        from controller.cli.odds_drawing import draw_order
        from controller.odds.fleet.order import best_order
        from controller.opponents.simulation import order_json

        rules = fleet_rules_of(choice.game, choice.options)
        found = order_json(best_order(rules, players), players)
    print_json(found) if json else answers.print(draw_order(rules, found))


def _odds_of(folder: Path, question: Question | FleetQuestion) -> dict[str, Any]:
    from controller.opponents.hints import FleetBook, OddsBook

    if isinstance(question, FleetQuestion):
        return FleetBook().answer(question)
    with show_progress(_WORK) as progress:
        return OddsBook(folder).answer(question, progress)
