"""The subcommands about rules and odds: games, moves, odds, simulate, scores."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli_words import (
    Batch,
    GameName,
    Json,
    MarksFile,
    Set,
    Variant,
    choose_game,
    lines_of,
    refuse_with_batch,
)
from controller.output import answers, print_json
from controller.rules import GAMES

BoardText = Annotated[str | None, typer.Option("--board", help="Board text; the start if not given.")]
ThrowText = Annotated[str | None, typer.Option("--throw", help="The dice, such as 5,3.")]


def games(json: Json = False) -> None:
    """List the games and their options."""
    for preset in GAMES.values():
        if json:
            table = {each.name: {"default": each.default, "allowed": list(each.allowed)} for each in preset.choices}
            print_json({"game": preset.name, "document": preset.document, "summary": preset.summary, "options": table})
            continue
        answers.print(f"{preset.name} ({preset.document}): {preset.summary}", style="bold", markup=False)
        for choice in preset.choices:
            default = str(choice.default).lower()
            answers.print(f"  {choice.name}={default}  {choice.meaning} ({choice.allowed_text})", markup=False)


def moves(
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    board: BoardText = None,
    throw: ThrowText = None,
    batch: Batch = None,
    json: Json = False,
) -> None:
    """Every legal set of tiles for a board and a throw."""
    from controller.batch import answer_lines
    from controller.questions import Question, legal_moves

    if batch is not None:
        refuse_with_batch(board=board, throw=throw, set=options, game=game, variant=variant, marks=marks)
        with lines_of(batch) as lines:
            for answer in answer_lines(lines, Question, legal_moves):
                print_json(answer)
        return
    found = legal_moves(Question.about(choose_game(game, options, variant, marks), board=board, throw=throw))
    if json:
        print_json(found)
        return
    for number, move in enumerate(found["moves"], 1):
        answers.print(f"{number:3}  {' '.join(move)}", markup=False)
    if found["turn_over"]:
        answers.print("no legal set: the turn is over")


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
    from controller.batch import answer_lines
    from controller.drawing import draw_answer, show_progress
    from controller.odds_questions import OddsBook
    from controller.questions import Question
    from controller.settings import find_home

    if batch is not None:
        refuse_with_batch(board=board, throw=throw, set=options, game=game, variant=variant, marks=marks, aim=aim)
        refuse_with_batch(curve=curve, players=players, scores=scores)
        with lines_of(batch) as lines, show_progress("counting boards") as progress:
            book = OddsBook(find_home().odds, progress)
            for answer in answer_lines(lines, Question, book.answer):
                print_json(answer)
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
    with show_progress("counting boards") as progress:
        book = OddsBook(find_home().odds, progress)
        found = book.answer(question)
        print_json(found) if json else answers.print(draw_answer(found, question, book))


def _whole(word: str) -> int:
    try:
        return int(word)
    except ValueError as error:
        raise typer.BadParameter(f"--scores: {word!r} is no whole number") from error


def simulate(
    game: GameName = None,
    options: Set = None,
    variant: Variant = None,
    marks: MarksFile = None,
    player: Annotated[str, typer.Option("--player", help="best, or a house player's strength.")] = "best",
    turns: Annotated[int, typer.Option("--turns", min=1, max=1_000_000_000, help="How many turns.")] = 100_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the dice.")] = 1,
    json: Json = False,
) -> None:
    """Play many turns by chance: the check of the odds, and of a pair of dice by its owner."""
    from controller.drawing import draw_tally, show_progress
    from controller.rules import rules_of
    from controller.settings import find_home
    from controller.simulation import run_turns, tally_json

    choice = choose_game(game, options, variant, marks)
    rules = rules_of(choice.game, choice.options, choice.marks)
    with show_progress("turns") as progress:
        tally = run_turns(rules, player, turns, seed, find_home().odds, progress)
    print_json(tally_json(rules, player, seed, tally)) if json else answers.print(draw_tally(tally))


def scores(
    file: Annotated[Path | None, typer.Argument(help="A journal; by default the home folder's.")] = None,
    json: Json = False,
) -> None:
    """What people who play alone have scored."""
    from controller.journal import Journal
    from controller.records import records_of
    from controller.settings import find_home

    path = file or find_home().journal
    if file is None and not path.exists():
        records = []
    else:
        with Journal(path, read_only=True) as journal:
            records = records_of(journal)
    for record in records:
        told: dict[str, object] = {"player": record.player, "game": record.game, "options": dict(record.options)}
        told |= {"games": len(record.scores), "best": record.best, "mean": record.mean, "shut": record.shut}
        if json:
            print_json({**told, "scores": list(record.scores)})
            continue
        options = "".join(f" {name}={str(value).lower()}" for name, value in record.options.items())
        answers.print(
            f"{record.player}, {record.game}{options}: games {len(record.scores)}, best {record.best}, "
            f"average {record.mean:.1f}, box shut {record.shut}; last {record.scores[-1]}",
            markup=False,
        )
    if not records and not json:
        answers.print("nobody has finished a game alone yet")
