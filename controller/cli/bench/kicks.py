"""`shutbox bench kicks`: servos that are let go amid a pulse."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.kicks import bench_kicks


def kicks(
    releases: Annotated[int, typer.Option("--releases", min=1, max=10_000_000, help="So many tiles let go.")] = 10_000,
    cuts: Annotated[int, typer.Option("--cuts", min=0, max=1_000_000, help="So many cuts of /OE.")] = 500,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the first box.")] = 1,
    json: Json = False,
) -> None:
    """Let go of servos at any moment of their pulses: does every tile that is kicked come back?"""
    raise typer.Exit(bench_kicks(releases, cuts, seed, as_json=json))
