"""`shutbox games`: the games on one screen, or one of them with its options."""

from typing import Annotated

import typer

from controller.cli.options import REFERENCE_BOX, Json
from controller.process.output import print_json
from controller.process.terminal import answers


def games(
    game: Annotated[str | None, typer.Argument(help="One game, with its options.")] = None,
    json: Json = False,
) -> None:
    from controller.box.catalogue import choices_of, describe_game, list_games

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
