"""`shutbox bench calibration`: calibrated servos against their wood."""

from typing import Annotated

import typer

from controller.cli.options import REFERENCE_BOX, BoxName, Json
from hardware.box import load_box
from tests.campaigns.calibration import bench_calibration


def calibration(
    boxes: Annotated[int, typer.Option("--boxes", min=1, max=100_000, help="So many simulated boxes.")] = 100,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The seed of the first box.")] = 1,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Calibrate the servos of simulated boxes that were just put together, and compare with their wood."""
    profile = load_box(box or REFERENCE_BOX)
    raise typer.Exit(bench_calibration(profile, range(seed, seed + boxes), as_json=json))
