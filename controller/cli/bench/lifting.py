"""`shutbox bench lifting`: games whose faults are all lifted at a random moment."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.games.lifting import bench_lifting


def lifting(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Lift all faults at a random moment of a game: it must end soon, with one answer of a person at most."""
    raise typer.Exit(bench_lifting(runs, seed, as_json=json))
