"""`shutbox games`: the games on one screen, or one of them with its options."""

from typing import Annotated

import typer

from controller.box import default_box_for
from controller.cli.options import Json
from controller.process import answers, print_json
from controller.rules import GAMES, GamePreset, rules_of

_USUAL_BOX = "two-level-9"  # not told: it stands on the table
_NAME_WIDTH = max(map(len, GAMES))


def games(
    game: Annotated[str | None, typer.Argument(help="One game, with its options.")] = None,
    json: Json = False,
) -> None:
    """List the games; one that is named with its options and what they mean."""
    rules = rules_of(game) if game is not None else None
    told = [rules.preset] if rules is not None else [*GAMES.values()]
    if json:
        for preset in told:
            print_json(_as_json(preset))
    elif rules is not None:
        _tell_options(rules.preset)
    else:
        for preset in told:
            answers.print(f"{preset.name:{_NAME_WIDTH}} {preset.summary}{_box_of(preset)}", markup=False)
        answers.print("`shutbox games pub` has its options, `shutbox play --game pub` plays it.", markup=False)


def _as_json(preset: GamePreset) -> dict[str, object]:
    table = {each.name: {"default": each.default, "allowed": list(each.allowed)} for each in preset.choices}
    return {"game": preset.name, "document": preset.document, "summary": preset.summary, "options": table}


def _box_of(preset: GamePreset) -> str:
    """The box that the game needs, where it is not the usual one."""
    box = default_box_for(rules_of(preset.name)).name
    return "" if box == _USUAL_BOX else f" [{box}]"


def _tell_options(preset: GamePreset) -> None:
    """Every option on two lines: its default, and what it is with the values it may have."""
    answers.print(f"{preset.name} (document {preset.document}): {preset.summary}", style="bold", markup=False)
    for choice in preset.choices:
        answers.print(f"  --set {choice.name}={str(choice.default).lower()}", markup=False)
        answers.print_indented(f"{choice.meaning} ({choice.allowed_text})", 6)
