"""`shutbox bench luck`: games looked back on by the exact odds."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.chance.luck import bench_luck


def luck(
    throws: Annotated[int, typer.Option("--throws", min=1, max=100_000_000, help="So many throws.")] = 100_000,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first game; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Look back on games by the exact odds: does each of them add up, and is luck nobody's on average?"""
    raise typer.Exit(bench_luck(throws, seed, as_json=json))
