"""`shutbox calibrate ...`: the subcommands that start guided sessions; what they measure is kept in the home folder."""

from typing import Annotated

import typer

from controller.cli.lazy import Subcommand, make_group
from controller.cli.options import BoxName, Json

SUBCOMMANDS = {
    "camera": Subcommand(
        "controller.cli.calibrate.camera",
        "camera",
        "Measure lens, place and exposure of the camera with the printed sheet.",
        "calibrate camera --mock --yes",
    ),
    "servos": Subcommand(
        "controller.cli.calibrate.servos",
        "servos",
        "Find the end points of every tile's servo.",
        "calibrate servos --mock --tile front-7 --yes",
    ),
    "dice": Subcommand(
        "controller.cli.calibrate.dice",
        "dice",
        "Teach the box dice that bear no pips: numerals, symbols, several colours, twenty sides.",
        "calibrate dice --list",
    ),
}


def calibrate(
    context: typer.Context,
    show: Annotated[bool, typer.Option("--show", help="Show what is saved of the servos, and what changed.")] = False,
    box: BoxName = None,
    json: Json = False,
) -> None:
    """Measure this box: its servos, its camera, and dice that bear no pips."""
    if context.invoked_subcommand is not None:
        return
    if not show:
        raise typer.BadParameter("say one of servos, camera, dice, or --show")
    SUBCOMMANDS["servos"].load()(show=True, box=box, json=json)


group = make_group(SUBCOMMANDS, calibrate, alone=True)

__all__ = ["group"]
