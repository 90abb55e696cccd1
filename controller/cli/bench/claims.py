"""`shutbox bench claims`: claims of Fleet! and Flash! that are laid, read and judged."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.claims.trials import bench_claims


def claims(
    claims: Annotated[int, typer.Option("--claims", min=1, max=1_000_000, help="So many claims.")] = 200,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="The chance of the first; the next has the next number.")
    ] = 1,
    json: Json = False,
) -> None:
    """Lay claims of Fleet! and Flash! before the camera: none may be granted that is none."""
    raise typer.Exit(bench_claims(claims, seed, as_json=json))
