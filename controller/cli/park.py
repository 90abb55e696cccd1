"""`shutbox park`: release every servo."""

import asyncio

from controller.box.real_firmware import switch_off
from controller.cli.options import BoxName, Installation
from controller.game.core.commands import Park
from controller.settings import Home
from controller.web.client import Client
from controller.web.sockets import daemon_runs, find_socket


def park(box: BoxName = None) -> None:
    installation = Installation(box)
    settings = installation.settings
    if daemon_runs(installation.home):
        asyncio.run(park_daemon(installation.home))
    else:
        asyncio.run(switch_off(installation.load_box(), settings, installation.home))


async def park_daemon(home: Home) -> None:
    """Have the daemon pause its game and release every servo."""
    async with Client(find_socket(home)) as client:
        await client.send(Park())
