"""`shutbox bringup`: find out how a new box is wired, and write that into its profile."""

from typing import Annotated

import typer

from controller.cli.options import BoxName, Faults, Installation, Json, Mock, Seed


def bringup(
    mock: Mock = False,
    box: BoxName = None,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; write what was found out.")] = False,
    faults: Faults = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    from contextlib import nullcontext

    from controller.box.choose import choose_box
    from controller.box.faults import parse_faults
    from controller.box.job_requests import BringUpOrder
    from controller.cli.job import guide
    from controller.jobs.sessions import session_for

    installation, order = Installation(box, mock), BringUpOrder(ask=not yes)
    home = installation.home
    done = guide(
        installation,
        order,
        lambda: choose_box(
            installation.box,
            installation.settings,
            home,
            mock=mock,
            faults=parse_faults(faults),
            seed=seed if mock else None,
        ),
        lambda chosen: session_for(order, chosen, home, lambda _panel: nullcontext()),
        as_json=json,
        box=box,
        faults=faults,
    )
    raise typer.Exit(done.status)
