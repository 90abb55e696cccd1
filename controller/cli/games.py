"""`shutbox games`: the games on one screen, or one of them with its options."""

from typing import Annotated

import typer

from controller.cli.batch import answer_batch, refuse_with_batch
from controller.cli.options import (
    REFERENCE_BOX,
    Batch,
    BoardText,
    GameName,
    Json,
    MarksFile,
    Set,
    ThrowText,
    Variant,
    choose_game,
)
from controller.game.table.questions import Question, legal_moves
from controller.runtime.output import print_json
from controller.runtime.terminal import answers


def games(
    game: Annotated[str | None, typer.Argument(help="One game, with its options.")] = None, json: Json = False
) -> None:
    from controller.box.compatibility import choices_of, describe_game, list_games

    told = list_games() if game is None else (describe_game(game),)
    if json:
        for entry in told:
            # Programs rely on these keys and no others.
            options = {name: {"default": each.default, "allowed": each.allowed} for name, each in entry.options.items()}
            document, summary = entry.document, entry.summary
            print_json({"game": entry.game, "document": document, "summary": summary, "options": options})
    elif game is not None:
        [entry] = told
        answers.print(f"{entry.game} (document {entry.document}): {entry.summary}", style="bold", markup=False)
        for choice in choices_of(entry.game):
            answers.print(f"  --set {choice.name}={str(choice.default).lower()}", markup=False)
            answers.print_indented(f"{choice.meaning} ({choice.allowed_text})", 6)
    else:
        width = max(len(entry.game) for entry in told)
        for entry in told:
            # Most people have the reference box, which is not worth naming.
            box = "" if entry.box == REFERENCE_BOX else f" [{entry.box}]"
            answers.print(f"{entry.game:{width}} {entry.summary}{box}", markup=False)
        answers.print("`shutbox games pub` has its options, `shutbox play --game pub` plays it.", markup=False)


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
    if batch is not None:
        refuse_with_batch(board=board, throw=throw, set=options, game=game, variant=variant, marks=marks)
        answer_batch(batch, Question, legal_moves)
        return
    found = legal_moves(Question.about(choose_game(game, options, variant, marks), board=board, throw=throw))
    if json:
        print_json(found)
        return
    for number, move in enumerate(found["moves"], 1):
        answers.print(f"{number:3}  {' '.join(move)}", markup=False)
    if found["turn_over"]:
        answers.print("no legal set: the turn is over")
