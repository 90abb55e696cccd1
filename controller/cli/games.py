"""`shutbox games`: the games on one screen, or one of them with its options."""

from collections.abc import Sequence
from typing import Annotated

import typer

from controller.box import GameEntry, choices_of, describe_game, list_games
from controller.cli.options import Json
from controller.process import answers, print_json

_USUAL_BOX = "two-level-9"  # not told: it stands on the table


def games(
    game: Annotated[str | None, typer.Argument(help="One game, with its options.")] = None,
    json: Json = False,
) -> None:
    """List the games; one that is named with its options and what they mean."""
    told = list_games() if game is None else (describe_game(game),)
    if json:
        for entry in told:
            print_json(_as_promised(entry))
    elif game is not None:
        _tell_options(told[0])
    else:
        _tell_all(told)


def _as_promised(told: GameEntry) -> dict[str, object]:
    """In the form that programs have relied on since there were no other keys."""
    options = {name: {"default": each.default, "allowed": each.allowed} for name, each in told.options.items()}
    return {"game": told.game, "document": told.document, "summary": told.summary, "options": options}


def _tell_all(told: Sequence[GameEntry]) -> None:
    width = max(len(entry.game) for entry in told)
    for entry in told:
        box = "" if entry.box == _USUAL_BOX else f" [{entry.box}]"
        answers.print(f"{entry.game:{width}} {entry.summary}{box}", markup=False)
    answers.print("`shutbox games pub` has its options, `shutbox play --game pub` plays it.", markup=False)


def _tell_options(told: GameEntry) -> None:
    """Every option on two lines: its default, and what it is with the values it may have."""
    answers.print(f"{told.game} (document {told.document}): {told.summary}", style="bold", markup=False)
    for choice in choices_of(told.game):
        answers.print(f"  --set {choice.name}={str(choice.default).lower()}", markup=False)
        answers.print_indented(f"{choice.meaning} ({choice.allowed_text})", 6)
