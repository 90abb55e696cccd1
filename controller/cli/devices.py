"""`shutbox devices`: list the operators' devices, or revoke them."""

import asyncio
from typing import Annotated

import typer

from controller.access.state import DeviceView
from controller.cli.options import Installation, Json
from controller.game.core.english import join_and
from controller.process.output import print_json
from controller.process.terminal import answers
from controller.settings import Home
from controller.web.access_client import reach_access


def devices(
    revoke: Annotated[
        str | None,
        typer.Option("--revoke", metavar="NAME|all", help="Take this device, or all of them, from the operators."),
    ] = None,
    json: Json = False,
) -> None:

    async def do(home: Home) -> tuple[DeviceView, ...]:
        async with reach_access(home) as access:
            if revoke == "all":
                await access.revoke_all()
            elif revoke is not None:
                known = await access.devices()
                numbers = [device.number for device in known if device.name.casefold() == revoke.casefold()]
                if not numbers:
                    there = f"there are {join_and([device.name for device in known])}" if known else "there is none"
                    raise typer.BadParameter(f"no device is called {revoke}; {there}")
                await access.revoke(numbers[0])
            return await access.devices()

    found = asyncio.run(do(Installation().home))
    for device in found:
        given, used = device.given.isoformat(), device.used.isoformat()
        if json:
            print_json({"number": device.number, "name": device.name, "given": given, "used": used})
        else:
            answers.print(f"{device.number:>3}  {device.name:<28}since {given}, used {used}", markup=False)
    if not found and not json:
        answers.print("No device is an operator's; the box's own terminal always is.")
