"""`shutbox games`: the games and their options."""

from controller.cli.options import Json
from controller.process import answers, print_json
from controller.rules import GAMES


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
