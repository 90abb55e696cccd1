"""`shutbox bench undo`: games in which things are taken back."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.games.undo import bench_undo


def undo(
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Take back and correct wherever that can be, in any game: is it the game it was, in wood, journal and coins?"""
    raise typer.Exit(bench_undo(games, seed, as_json=json))
