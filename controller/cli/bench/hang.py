"""`shutbox bench hang`: buses that hang amid a reset."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.live.hang_report import bench_hang


def hang(
    trials: Annotated[int, typer.Option("--trials", min=1, max=10_000, help="So many of each kind.")] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the boxes, tiles, jams and moments.")] = 1,
    rigs: Annotated[int, typer.Option("--rigs", min=2, max=16, help="So many boxes side by side.")] = 4,
    only: Annotated[str | None, typer.Option("--only", help="One trial again, by the name a failure gave it.")] = None,
    json: Json = False,
) -> None:
    """Let the bus hang amid a reset with jammed tiles: is every servo let go in time, does the game go on?"""
    raise typer.Exit(bench_hang(trials, seed, rigs, only, as_json=json))
