"""`shutbox moves`: the legal moves of a board and a throw, in words, as JSON, or for a file of questions."""

from controller.cli.batch import answer_batch, refuse_with_batch
from controller.cli.options import Batch, BoardText, GameName, Json, MarksFile, Set, ThrowText, Variant, choose_game
from controller.game.table.questions import Question, legal_moves
from controller.process.output import print_json
from controller.process.terminal import answers


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
