"""`shutbox scores`: the records of people who play alone."""

from pathlib import Path
from typing import Annotated

import typer

from controller.cli.options import Json
from controller.journal import Journal, records_of
from controller.process import answers, print_json
from controller.settings import find_box_home


def scores(
    file: Annotated[Path | None, typer.Argument(help="A journal; by default the home folder's.")] = None,
    json: Json = False,
) -> None:
    """What people who play alone have scored."""
    path = file or find_box_home().journal
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
