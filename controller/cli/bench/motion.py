"""`shutbox bench motion`: how long a reset takes."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.motion import bench_motion


def motion(
    boxes: Annotated[int, typer.Option("--boxes", min=1, max=1000, help="Simulated boxes of each size.")] = 5,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the first box.")] = 1,
    json: Json = False,
) -> None:
    """Move tiles on boxes of many sizes and supplies, and compare with the least time possible."""
    raise typer.Exit(bench_motion(boxes, seed, as_json=json))
