"""`shutbox bench crowd`: players and watchers in the network, and an intruder who would keep the box from them."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.crowd.crowd import bench_crowd


def crowd(
    minutes: Annotated[float, typer.Option("--minutes", min=0.01, max=600, help="Play for so long.")] = 10.0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Leave the intruder out, to compare.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the game and its clients.")] = 1,
    json: Json = False,
) -> None:
    """Four players, fifty watchers and an intruder who would keep the box from them: does anybody notice him?"""
    raise typer.Exit(bench_crowd(minutes, seed, hostile=not quiet, as_json=json))
