"""`shutbox bench selftest`: the self-test against every fault there is."""

from typing import Annotated

import typer

from controller.cli.options import REFERENCE_BOX, BoxName, Json
from hardware.box import load_box
from tests.campaigns.selftest import bench_selftest


def selftest(
    every: Annotated[int, typer.Option("--every", min=1, help="Only one in so many of all self-tests.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of the simulated box.")] = 1,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Break a simulated box in every way there is, from several boards: is that named, and nothing else?"""
    raise typer.Exit(bench_selftest(load_box(box or REFERENCE_BOX), every, seed, as_json=json))
