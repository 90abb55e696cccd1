"""`shutbox bench clients`: several clients at one daemon that comes and goes."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.clients.clients import bench_clients


def clients(
    runs: Annotated[int, typer.Option("--runs", min=1, max=1_000_000, help="So many tables.")] = 100,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Four clients at one daemon that comes and goes, answers lost, commands repeated: is each done just once?"""
    raise typer.Exit(bench_clients(runs, seed, as_json=json))
