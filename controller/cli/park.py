"""`shutbox park`: let go of every servo."""

import asyncio

from controller.box import switch_off
from controller.cli.options import BoxName, Installation
from controller.game import Park
from controller.settings import Home
from controller.web import Client, daemon_runs, find_socket


def park(box: BoxName = None) -> None:
    """Pulses off, tiles as they are: through the daemon if one runs, else straight at the box."""
    installation = Installation(box)
    settings = installation.settings
    if daemon_runs(installation.home):
        asyncio.run(park_daemon(installation.home))
    else:
        asyncio.run(switch_off(installation.load_box(), settings, installation.home))


async def park_daemon(home: Home) -> None:
    """Have the daemon pause its game, if one is on, and let go of every servo."""
    async with Client(find_socket(home)) as client:
        await client.send(Park())
