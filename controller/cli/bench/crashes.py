"""`shutbox bench crashes`: kills, power cuts, a card that refuses or is slow, and damaged files."""

from typing import Annotated

import typer

from controller.cli.options import Json
from tests.campaigns.crashes.crashes import CrashOrder, bench_crashes


def crashes(
    kills: Annotated[int, typer.Option("--kills", min=0, max=1_000_000, help="Kill so many daemons amid play.")] = 0,
    cuts: Annotated[
        int, typer.Option("--cuts", min=0, max=1_000_000, help="Cut the power amid so many plays, synced and not.")
    ] = 0,
    refusals: Annotated[
        int, typer.Option("--refusals", min=0, max=1_000_000, help="Let the card refuse so many writes, one a play.")
    ] = 0,
    slow: Annotated[
        float, typer.Option("--slow", min=0, max=600, help="Play so many minutes on a card that takes a second.")
    ] = 0.0,
    damage: Annotated[
        bool, typer.Option("--damage", help="Damage the files of a game under way in every way.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The chance of games, moments and cards.")] = 1,
    rigs: Annotated[
        int, typer.Option("--rigs", min=1, max=16, help="Kill on so many boxes side by side; more than one are slower.")
    ] = 1,
    json: Json = False,
) -> None:
    """Kill daemons, cut the power, slow the card, damage files: is anything lost that was acknowledged?

    At least one of --kills, --cuts, --refusals, --slow and --damage; each is reported by itself.
    """
    order = CrashOrder(kills, cuts, refusals, slow, damage)
    if order == CrashOrder():
        raise typer.BadParameter("say at least one of --kills, --cuts, --refusals, --slow and --damage")
    raise typer.Exit(bench_crashes(order, seed, rigs, as_json=json))
