"""`shutbox bench guard`: daemons that are killed amid a reset."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.live.guard_report import bench_guard


def guard(
    trials: Annotated[int, typer.Option("--trials", min=1, max=10_000, help="So many of each kind.")] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the boxes and of the moments.")] = 1,
    rigs: Annotated[int, typer.Option("--rigs", min=1, max=16, help="So many boxes side by side.")] = 2,
    json: Json = False,
) -> None:
    """Kill and stop daemons amid a reset: are pulses gone within a second, does the next start look and finish?"""
    raise typer.Exit(bench_guard(trials, seed, rigs, as_json=json))
