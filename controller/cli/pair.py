"""`shutbox pair`: confirm a device that wants to be an operator's."""

import asyncio
from typing import Annotated

import typer

from controller.cli.options import Installation, Json
from controller.errors import NoPairing
from controller.process.output import Exit, print_json
from controller.process.terminal import answers, say
from controller.settings import Home
from controller.web.access_client import reach_access
from controller.web.client import Refused


def pair(
    number: Annotated[str, typer.Argument(help="The number that the device shows for a minute.")],
    json: Json = False,
) -> None:
    try:
        name = asyncio.run(confirm_pairing(Installation().home, number))
    except (NoPairing, Refused) as error:
        say(str(error))
        raise typer.Exit(Exit.NO) from error
    if json:
        print_json({"name": name})
    else:
        answers.print(f"{name} is an operator's device now; `shutbox devices` lists them.", markup=False)


async def confirm_pairing(home: Home, number: str) -> str:
    """Confirm a pairing; return the name of the device. Raises `NoPairing`, `Refused` or `DaemonGone`."""
    async with reach_access(home) as access:
        return await access.confirm_pairing(number)
