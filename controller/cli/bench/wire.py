"""`shutbox bench wire`: commands, hands and faults at random."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.wire import bench_wire


def wire(
    runs: Annotated[int, typer.Option("--runs", min=1, max=10_000_000, help="So many commands.")] = 2000,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Commands, hands and faults at random: nothing may stall for long, push wood, or draw too much."""
    raise typer.Exit(bench_wire(runs, seed, as_json=json))
