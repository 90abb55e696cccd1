"""`shutbox bench halts`: every fault in every phase of a game, with every answer to it."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.games.halts import bench_halts


def halts(
    every: Annotated[int, typer.Option("--every", min=1, help="Only one in so many of all halts.")] = 1,
    only: Annotated[int | None, typer.Option("--only", min=0, help="Only the halt with this number.")] = None,
    json: Json = False,
) -> None:
    """Halt games by every fault in every phase, and answer in every way: does each of them go on?"""
    raise typer.Exit(bench_halts(every, only, as_json=json))
