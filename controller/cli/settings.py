"""`shutbox settings`: every setting with its value, and the file of the settings."""

import json as json_text
from dataclasses import asdict

from controller.cli.options import Json
from controller.process.output import print_json
from controller.process.terminal import answers
from controller.settings import find_box_home, load_settings, setting_rows


def settings(json: Json = False) -> None:
    home = find_box_home()
    rows = [*setting_rows(load_settings(home.settings))]
    if json:
        print_json({"home": str(home.data), "file": str(home.settings), "settings": [asdict(row) for row in rows]})
        return
    answers.print(f"Home folder: {home.data}", markup=False)
    missing = "" if home.settings.exists() else " (there is none yet: all is as it comes)"
    answers.print(f"Settings: {home.settings}{missing}", markup=False)
    for row in rows:
        default = "" if row.value == row.default else f"   (default: {_in_toml(row.default)})"
        answers.print(f"{row.key} = {_in_toml(row.value)}{default}", style="bold", markup=False)
        answers.print_indented(row.meaning, 4)


def _in_toml(value: object) -> str:
    """Return a value as the file has it: text, numbers and lists look as in JSON."""
    return json_text.dumps(value, ensure_ascii=False)
