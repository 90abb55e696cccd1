"""`shutbox bench cuts`: games whose power goes, and whose tiles are moved meanwhile."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.games.cuts import bench_cuts


def cuts(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many power cuts.")] = 200,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Cut the power amid games and move tiles meanwhile: is every one told before anything moves or counts?"""
    raise typer.Exit(bench_cuts(runs, seed, as_json=json))
