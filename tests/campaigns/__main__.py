"""`make campaign NAME=crashes ARGS="--kills 1000"`: campaigns that try to break the box or measure it.

Without a name it lists them. A failure prints the command that repeats it.
"""

import typer
from typer.core import TyperGroup
from typer.main import get_group

from controller.cli.main import main
from tests.campaigns import commands

CAMPAIGNS = (
    commands.vision,
    commands.calibration,
    commands.claims,
    commands.clients,
    commands.crashes,
    commands.crowd,
    commands.cuts,
    commands.endurance,
    commands.engines,
    commands.evenings,
    commands.fairness,
    commands.faults,
    commands.guard,
    commands.halts,
    commands.hang,
    commands.kicks,
    commands.lifting,
    commands.liveness,
    commands.luck,
    commands.motion,
    commands.race,
    commands.records,
    commands.selftest,
    commands.two_boxes,
    commands.undo,
    commands.wire,
)


def make_group() -> TyperGroup:
    """Return the command line of all campaigns."""
    app = typer.Typer(name="make campaign", no_args_is_help=True, add_completion=False, rich_markup_mode=None)
    for campaign in CAMPAIGNS:
        app.command(campaign.__name__.replace("_", "-"))(campaign)
    return get_group(app)


if __name__ == "__main__":
    main(make_group())
