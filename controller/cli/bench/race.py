"""`shutbox bench race`: six clients race at one daemon that comes and goes."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.races.race import bench_race


def race(
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=1_000_000, help="So many rounds at least.")] = 500,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first race; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Six clients race at one daemon that comes and goes, shouts at once and wrong: is each chip handed out once?"""
    raise typer.Exit(bench_race(rounds, seed, as_json=json))
