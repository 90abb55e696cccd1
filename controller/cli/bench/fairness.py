"""`shutbox bench fairness`: the verdict on dice that are fair or loaded."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.chance.fairness import bench_fairness


def fairness(
    evenings: Annotated[int, typer.Option("--evenings", min=1, max=1_000_000, help="So many with each dice.")] = 200,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Throw fair dice and loaded ones for whole evenings: how often are they called unfair, and how soon?"""
    raise typer.Exit(bench_fairness(evenings, seed, as_json=json))
