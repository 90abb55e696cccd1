"""`shutbox bench faults`: whole games while things break."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.games.faults import bench_faults


def faults(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many games.")] = 100,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Play whole games while things break: none may hang, be scored wrong, or harm the box."""
    raise typer.Exit(bench_faults(runs, seed, as_json=json))
