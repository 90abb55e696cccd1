"""`shutbox bench endurance`: thousands of games in one process."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.games.endurance import bench_endurance


def endurance(
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="So many games.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Their chance.")] = 1,
    json: Json = False,
) -> None:
    """Play game after game in one process, by typed throws: does anything grow that must not?"""
    raise typer.Exit(bench_endurance(games, seed, as_json=json))
